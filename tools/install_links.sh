#!/usr/bin/env bash
# Links that make carronade the tool whose name it is called by. What stands in FOLDER already and
# is no link to a carronade stays as it is.
#
#   tools/install_links.sh FOLDER BINARY…      the first binary that exists is linked to
set -euo pipefail

tools=(ab autocannon gobench loadtest siege testserver-loadtest vegeta wrk wrk2)

folder=${1:-}
if [ -z "$folder" ] || [ $# -lt 2 ]; then
  echo "install-links: no folder given: make install-links DIR=/usr/local/bin" >&2
  exit 1
fi
shift

binary=
for candidate in "$@"; do
  if [ -f "$candidate" ] && [ -x "$candidate" ]; then
    binary=$(realpath "$candidate")
    break
  fi
done
if [ -z "$binary" ]; then
  sought=$1
  for candidate in "${@:2}"; do sought+=" nor $candidate"; done
  if [ $# -gt 1 ]; then
    echo "install-links: neither $sought is there: run make first" >&2
  else
    echo "install-links: $sought is not there: run make first" >&2
  fi
  exit 1
fi

mkdir -p "$folder"
left=0
for tool in "${tools[@]}"; do
  link=$folder/$tool
  if [ -L "$link" ] && [[ $(basename "$(readlink "$link")") == carronade* ]]; then
    done="now leads to"
  elif [ -L "$link" ] || [ -e "$link" ]; then
    echo "install-links: left alone: $link is there and is no link to carronade" >&2
    left=1
    continue
  else
    done="made, leads to"
  fi
  ln -sfn "$binary" "$link"
  echo "$link: $done $binary"
done
exit $left
