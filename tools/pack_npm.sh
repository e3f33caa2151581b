#!/usr/bin/env bash
# Makes build/npm/carronade-VERSION.tgz of node/ and of what BUILD_DIR holds. It installs
# anywhere with `npm install ./carronade-VERSION.tgz`, without scripts and without the network.
#
#   tools/pack_npm.sh BUILD_DIR [FOLDER]      (FOLDER for the .tgz instead of build/npm)
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
folder=${2:-build/npm}
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT

for file in node/carronade.node carronade; do
  [ -e "$build/$file" ] || {
    echo "pack_npm: $build/$file is missing: make npm builds it" >&2
    exit 1
  }
done

mkdir -p "$package/prebuilt" "$folder"
cp -r node/lib node/bin LICENSE "$package"
for name in index loadtest; do
  cp "node/$name.js" "node/$name.mjs" "node/$name.d.ts" "$package"
done
cp node/README.md "$package/README.md"
cp "$build/node/carronade.node" "$package/prebuilt"
strip -o "$package/prebuilt/carronade" "$build/carronade"
# The binaries contain these libraries, whose licences want to be beside them.
mkdir "$package/prebuilt/licenses"
for library in libssl-dev libidn2-dev libunistring-dev zlib1g-dev libfmt-dev nlohmann-json3-dev \
  libluajit-5.1-dev libyaml-cpp-dev libpcre2-dev; do
  if [ -e "/usr/share/doc/$library/copyright" ]; then
    cp -L "/usr/share/doc/$library/copyright" "$package/prebuilt/licenses/$library"
  else
    echo "pack_npm: the licence of $library is not here: do not publish this package" >&2
  fi
done
cp build/npm/node_modules/node-addon-api/LICENSE.md "$package/prebuilt/licenses/node-addon-api"
chmod 755 "$package/bin/carronade.js" "$package/prebuilt/carronade"
# Ubuntu 22.04 has Node 12, which is too old.
node=node
case $(node --version) in v[0-9].* | v1[0-7].*) node=build/npm/node_modules/node20/bin/node ;; esac
"$node" tools/pack_npm.js node/package.json build/npm/node_modules "$package"

folder=$(cd "$folder" && pwd)
file=$(cd "$package" && npm pack --ignore-scripts --silent --pack-destination "$folder" </dev/null)
echo "$folder/$file"
