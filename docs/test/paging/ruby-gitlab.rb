require "gitlab"

client = Gitlab.client(endpoint: ENV.fetch("URL"), private_token: ENV.fetch("KEY"))
pets = client.get("/pets", query: { limit: 2 })
until pets.nil?
  pets.each { |pet| puts pet.name }
  pets = pets.next_page
end
