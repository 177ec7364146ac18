import os

import httpx

headers = {"Authorization": f"Bearer {os.environ['KEY']}"}
with httpx.Client(base_url=os.environ["URL"], headers=headers) as client:
    url = "/pets?limit=2"
    while url:
        response = client.get(url)
        response.raise_for_status()
        for pet in response.json():
            print(pet["name"])
        url = response.links.get("next", {}).get("url")
