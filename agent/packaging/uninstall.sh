#!/bin/sh
# Removes the agent from this device: `warren-agent uninstall [--yes]`. Called by the launcher with the folders of the program and
# of its state, and what was typed.
set -eu

PREFIX=$1
STATE=$2
ANSWER=${4:-}

say() { printf '%s\n' "$*"; }
fail() {
  status=$1
  shift
  printf 'warren-agent: %s\n' "$*" >&2
  exit "$status"
}

case $ANSWER in
  '' | --yes) ;;
  *) fail 64 "uninstall: \"$ANSWER\" is not known; expected --yes or nothing" ;;
esac
SERVICE=
[ ! -e /etc/systemd/system/warren-agent.service ] || ! grep -q "$PREFIX/" /etc/systemd/system/warren-agent.service || SERVICE=yes
[ -w "$PREFIX" ] || fail 77 "removing $PREFIX needs the right to write there: run it with sudo"

say "This removes the agent from $PREFIX and the key of this device from $STATE."
[ ! -e "$PREFIX/user-made" ] || say "The user warren, its home and the shells that are open go with it."
if [ "$ANSWER" != --yes ]; then
  [ -t 0 ] || fail 64 "uninstall: without a terminal to ask at, say --yes"
  printf 'Go on? [y/N] '
  read -r typed
  case $typed in
    y | Y | yes) ;;
    *) fail 1 "nothing was removed" ;;
  esac
fi

if [ -n "$SERVICE" ]; then
  systemctl disable --quiet --now warren-agent-update.path warren-agent-update.service \
    warren-agent.service warren-agent-reboot.path 2>/dev/null || :
  for unit in "$PREFIX"/current/share/*.service "$PREFIX"/current/share/*.path; do
    rm -f "/etc/systemd/system/${unit##*/}"
  done
  systemctl daemon-reload
  [ "$(readlink /usr/local/bin/warren-agent 2>/dev/null)" != "$PREFIX/bin/warren-agent" ] || rm -f /usr/local/bin/warren-agent
fi
if [ -e "$PREFIX/user-made" ] && id warren >/dev/null 2>&1; then
  # What its shells left running keeps the user busy.
  pkill -KILL -u warren 2>/dev/null || :
  userdel --remove warren 2>/dev/null || userdel warren || :
fi
rm -rf "$STATE" "$PREFIX"
say 'The agent is gone. The hub still lists the device, as Disconnected, until it is deleted in the console.'
