#!/usr/bin/env bash
# Ten seconds of load from 50 connections on the bundled server, which listens on a free port of
# loopback and is stopped whatever happens.
#
#   tools/demo.sh BINARY
set -euo pipefail
binary=$1

log=$(mktemp)
server=
stop() {
  trap - EXIT
  # The server may be gone already.
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  rm -f "$log"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# A process group of its own: Ctrl-C in the terminal is for the load alone, which then prints what
# it has measured; the server ends when this script does.
set -m
"$binary" serve --port 0 >"$log" 2>&1 &
server=$!
set +m

url=
for _ in {1..100}; do
  url=$(sed -n 's/^listening on //p' "$log")
  [ -n "$url" ] && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.05
done
if [ -z "$url" ]; then
  echo "demo: the server did not start: $(cat "$log")" >&2
  exit 1
fi

echo "\$ $binary -c 50 -d 10 -l $url"
"$binary" -c 50 -d 10 -l "$url"
