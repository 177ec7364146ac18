require "faraday"
require "json"

headers = { "Authorization" => "Bearer #{ENV.fetch("KEY")}" }
connection = Faraday.new(url: ENV.fetch("URL"), headers: headers) { |each| each.response :raise_error }
url = "pets?limit=2"
until url.nil?
  response = connection.get(url)
  JSON.parse(response.body).each { |pet| puts pet["name"] }
  url = response.headers["Link"].to_s[/<([^>]*)>; rel="next"/, 1]
end
