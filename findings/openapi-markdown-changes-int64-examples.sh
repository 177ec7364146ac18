#!/bin/sh
# Two tools make Markdown from OpenAPI, and neither shows the example of an int64 parameter: @scalar/openapi-to-markdown 1.7.0 prints
# 9223372036854776000 for 9223372036854775807, an id that does not exist, and openapi-to-md 1.1.1 leaves the example out. Seen on Node 24.
# Ends with 1 if that has changed.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @scalar/openapi-to-markdown@1.7.0 openapi-to-md@1.1.1
cat >openapi.json <<'DOCUMENT'
{
  "openapi": "3.1.1",
  "info": { "title": "Animals", "version": "1.0.0" },
  "paths": {
    "/animals/{id}": {
      "get": {
        "parameters": [
          {
            "name": "id",
            "in": "path",
            "required": true,
            "schema": { "type": "integer", "format": "int64" },
            "example": 9223372036854775807
          }
        ],
        "responses": { "204": { "description": "It exists." } }
      }
    }
  }
}
DOCUMENT
cat >convert.mjs <<'SCRIPT'
import { readFileSync, writeFileSync } from "node:fs";
import { createMarkdownFromOpenApi } from "@scalar/openapi-to-markdown";
writeFileSync("scalar.md", await createMarkdownFromOpenApi(readFileSync("openapi.json", "utf8")));
SCRIPT
node convert.mjs
npx openapi-to-md openapi.json other.md >/dev/null

numbers() { grep -oE '[0-9]{19}' "$1" | sort -u | tr '\n' ' '; }
seen="scalar: $(numbers scalar.md)other: $(numbers other.md)"
echo "$seen"
[ "$seen" = "scalar: 9223372036854776000 other: " ]
