import os

import httpx

headers = {"Authorization": f"Bearer {os.environ['KEY']}"}
url = f"{os.environ['URL']}/pets?limit=2"
while url:
    response = httpx.get(url, headers=headers)
    response.raise_for_status()
    for pet in response.json():
        print(pet["name"])
    url = response.links.get("next", {}).get("url")
