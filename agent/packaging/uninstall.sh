#!/bin/sh
# Removes the agent from this device: `warren-agent uninstall [--yes]`. Called by the launcher with the folders of the program and
# of its state, and what was typed.
set -eu

PREFIX=$1
STATE=$2
ANSWER=${4:-}

# The caller's terminal may be gone: this closes it.
say() { printf '%s\n' "$*" 2>/dev/null || :; }
fail() {
  status=$1
  shift
  printf 'warren-agent: %s\n' "$*" >&2
  exit "$status"
}

check() {
  case $ANSWER in
    '' | --yes | --now) ;;
    *) fail 64 "uninstall: \"$ANSWER\" is not known; expected --yes or nothing" ;;
  esac
  SERVICE=
  [ ! -e /etc/systemd/system/warren-agent.service ] || ! grep -q "$PREFIX/" /etc/systemd/system/warren-agent.service || SERVICE=yes
  [ -w "$PREFIX" ] || fail 77 "removing $PREFIX needs the right to write there: run it with sudo"
}

confirm() {
  say "This removes the agent from $PREFIX and the key of this device from $STATE."
  [ ! -e "$PREFIX/user-made" ] || say "The user warren, its home and the shells that are open go with it."
  [ "$ANSWER" != --yes ] || return 0
  [ -t 0 ] || fail 64 "uninstall: without a terminal to ask at, say --yes"
  printf 'Continue? [y/N] '
  read -r typed
  case $typed in
    y | Y | yes) ;;
    *) fail 1 "nothing was removed" ;;
  esac
}

# In a unit of systemd's own, as a terminal of the agent closes with it. Ends this script, unless systemd can't.
detach() {
  command -v systemd-run >/dev/null 2>&1 || return 0
  say 'A terminal in the console closes now. The removal finishes without it: journalctl -u warren-agent-uninstall.'
  copy=/run/warren-agent-uninstall.sh
  cp "$0" "$copy"
  exec systemd-run --quiet --collect --pipe --wait --unit=warren-agent-uninstall \
    /bin/sh "$copy" "$PREFIX" "$STATE" uninstall --now
}

remove_service() {
  systemctl disable --quiet --now warren-agent-update.path warren-agent-update.service \
    warren-agent.service warren-agent-reboot.path warren-agent-setup.service warren-agent-shell.socket 2>/dev/null || :
  systemctl stop 'warren-agent-shell@*.service' 2>/dev/null || :
  rm -rf /run/warren-agent-keepers
  for unit in "$PREFIX"/current/share/*.service "$PREFIX"/current/share/*.path \
    "$PREFIX"/current/share/*.socket "$PREFIX"/current/share/*.slice; do
    rm -f "/etc/systemd/system/${unit##*/}"
  done
  systemctl daemon-reload
  page=/usr/local/share/man/man8/warren-agent.8
  [ "$(readlink "$page" 2>/dev/null)" != "$PREFIX/current/share/warren-agent.8" ] || rm -f "$page"
  [ "$(readlink /usr/local/bin/warren-agent 2>/dev/null)" != "$PREFIX/bin/warren-agent" ] || rm -f /usr/local/bin/warren-agent
}

remove_users() {
  if [ -e "$PREFIX/user-made" ] && id warren >/dev/null 2>&1; then
    # What its shells left running keeps the user busy.
    pkill -KILL -u warren 2>/dev/null || :
    userdel --remove warren 2>/dev/null || userdel warren || :
  fi
  [ ! -e "$PREFIX/agent-user-made" ] || userdel warren-agent 2>/dev/null || :
}

main() {
  check
  if [ "$ANSWER" != --now ]; then
    confirm
    [ -z "$SERVICE" ] || detach
  fi
  [ -z "$SERVICE" ] || remove_service
  remove_users
  rm -rf "$STATE" "$PREFIX"
  rm -f /run/warren-agent-uninstall.sh 2>/dev/null || :
  say 'The agent is gone. The hub still lists the device, as Disconnected, until it is deleted in the console.'
}

main
