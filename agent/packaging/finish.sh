#!/bin/sh
# The last step of an upgrade: starts the version that was put in place, waits until it is connected, and removes the versions before it:
# `sh finish.sh <folder of the program> <folder of the version>`.
set -u

PREFIX=$1
VERSION_DIR=$2

# The caller's terminal may be gone: this restart closes it.
say() { printf '%s\n' "$*" 2>/dev/null || :; }
fail() {
  status=$1
  shift
  printf 'warren: %s\n' "$*" >&2 || :
  exit "$status"
}

systemctl restart warren-agent.service || fail 69 "the service does not start: see journalctl -u warren-agent"
status=0
"$PREFIX/bin/warren-agent" status --wait 30 || status=$?
case $status in
  0) say "Shells open as $(cat "$PREFIX/shell-user")." ;;
  77) fail 77 "the hub refuses the key of this device, as the line above says" ;;
  *) fail 69 "the agent runs, but is not connected yet: see journalctl -u warren-agent" ;;
esac
for old in "$PREFIX"/versions/*; do
  [ "$old" = "$VERSION_DIR" ] || rm -rf "$old"
done
