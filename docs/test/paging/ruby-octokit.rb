require "octokit"

client = Octokit::Client.new(api_endpoint: ENV.fetch("URL"), bearer_token: ENV.fetch("KEY"))
client.get("pets", limit: 2)
response = client.last_response
until response.nil?
  response.data.each { |pet| puts pet.name }
  response = response.rels[:next]&.get
end
