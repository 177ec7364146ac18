#!/bin/sh
# In turbo 2.11.11, a task whose workspace has no script for it, as the transit nodes of its documentation, runs nothing, but waits in the
# queue for one of the slots of --concurrency. So the tests of a workspace that depends on others start only after all those that are ready
# at once, although nothing has to run before them: the suite that stands on everything, which is often the longest, comes last and alone.
# Without the dependencies between the workspaces, the order is another one each time. Ends with 1 if that has changed.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
cat >workspaces.mjs <<'SCRIPT'
import { mkdirSync, writeFileSync } from "node:fs";

const [, , chained] = process.argv;
function write(name, dependencies, test) {
  mkdirSync(`packages/${name}`, { recursive: true });
  const manifest = {
    name,
    version: "1.0.0",
    dependencies: Object.fromEntries(dependencies.map((each) => [each, "1.0.0"])),
    scripts: test ? { test: `node -e "console.log('began ${name}'); setTimeout(() => {}, 200)"` } : {},
  };
  writeFileSync(`packages/${name}/package.json`, JSON.stringify(manifest));
}
for (const name of ["a", "b", "c", "d", "e"]) write(name, [], true);
write("base", [], false);
write("middle", ["base"], false);
write("app", chained === "chained" ? ["middle"] : [], true);
const root = { name: "root", private: true, packageManager: "npm@10.0.0", workspaces: ["packages/*"] };
writeFileSync("package.json", JSON.stringify(root));
const tasks = { topo: { dependsOn: ["^topo"] }, test: { dependsOn: ["topo"], cache: false } };
writeFileSync("turbo.json", JSON.stringify({ tasks }));
SCRIPT

# How often the tests of `app` began last.
last() {
  node workspaces.mjs "$1"
  npm install --silent --no-audit --no-fund --save-dev turbo@2.11.11
  count=0
  for _ in 1 2 3 4 5 6 7 8; do
    order=$(TURBO_TELEMETRY_DISABLED=1 npx turbo run test --concurrency=1 --log-order=stream 2>/dev/null |
      sed -n 's/.*began \([a-z]*\)$/\1/p' | tr '\n' ' ')
    echo "$1: $order" >&2
    case $order in *"app ") count=$((count + 1)) ;; esac
  done
  echo "$count"
}

echo "node $(node --version), turbo 2.11.11"
chained=$(last chained)
free=$(last free)
echo "app was last in $chained of 8 runs if it depends on two workspaces without tests, and in $free of 8 if it does not"
[ "$chained" -eq 8 ] && [ "$free" -lt 8 ]
