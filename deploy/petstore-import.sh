#!/bin/sh
# Imports the newest sheet of the working directory with the given options. petstore-import.service runs it.
set -eu
file=$(ls -t -- *.[Cc][Ss][Vv] *.[Xx][Ll][Ss][Xx] 2>/dev/null | head -n 1)
if [ -z "$file" ]; then
  echo "There is no CSV or XLSX file in $PWD" >&2
  exit 1
fi
# A file of last week would undo what people have changed since.
last=$STATE_DIRECTORY/last
if [ -e "$last" ] && ! [ "$file" -nt "$last" ]; then
  echo "There is no newer file than the last one in $PWD, $file" >&2
  exit 1
fi
# The name of the import stays the same, so that rows without a number are added once.
exit_code=0
counts=$(/opt/petstore/node --env-file="$CREDENTIALS_DIRECTORY/settings" /opt/petstore/petstore.cjs \
  pets import "./$file" --import-id weekly --yes "$@") || exit_code=$?
# It prints them once it has tried every row, even if some were rejected. An import that stopped may run again.
if [ -n "$counts" ]; then
  echo "$counts"
  touch -r "$file" "$last"
fi
exit "$exit_code"
