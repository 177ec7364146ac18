library(httr2)

url <- paste0(Sys.getenv("URL"), "/pets?limit=2")
while (!is.null(url)) {
  response <- request(url) |>
    req_auth_bearer_token(Sys.getenv("KEY")) |>
    req_perform()
  for (pet in resp_body_json(response)) cat(pet$name, "\n", sep = "")
  url <- resp_link_url(response, "next")
}
