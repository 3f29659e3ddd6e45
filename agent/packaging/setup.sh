#!/bin/sh
# Makes a device ready for the agent's service, as root: users, owners of files, and the units that open terminals. Runs before each
# start of the service, so that it also repairs what changed since: `sh setup.sh <folder of the program> <folder of its state>`.
# It writes what differs alone, and each step runs whatever became of the one before: on a full or read-only disk, the agent has to
# start all the same. Ends with 1 if a step failed.
set -u

PREFIX=$1
STATE=$2
SHARE=${0%/*}
UNITS=/etc/systemd/system
AGENT_USER=warren-agent
DEFAULT_SHELL_USER=warren

# replace FOLDER NAME TEXT: writes the file, whole, if it differs; CHANGED is yes then.
replace() {
  if [ "$3" = "$(cat "$1/$2" 2>/dev/null)" ]; then return; fi
  if printf '%s\n' "$3" >"$1/.$2.new" && mv -f "$1/.$2.new" "$1/$2"; then
    CHANGED=yes
  else
    rm -f "$1/.$2.new"
    return 1
  fi
}

# For a version that knows of one user only; kept where it is found whichever version is current.
keep_undo() { replace "$PREFIX" undo-setup.sh "$(cat "$SHARE/undo-setup.sh")"; }

# Whose login shells open. Enrolment noted it, in a folder that until now belonged to root, or to the default user, who must not choose.
choose_shell_user() {
  [ -s "$PREFIX/shell-user" ] || {
    named=
    [ "$(stat -c %u "$STATE")" != 0 ] ||
      named=$(sed -n 's/.*"shell_user": *"\([A-Za-z_][A-Za-z0-9._-]*\)".*/\1/p' "$STATE/device.json" 2>/dev/null || :)
    printf '%s\n' "${named:-$DEFAULT_SHELL_USER}" >"$PREFIX/shell-user"
  }
  read -r SHELL_USER <"$PREFIX/shell-user"
}

# make_user MARK NAME OPTION…: a user that is not there; MARK is a file that says that it was made here.
make_user() {
  mark=$1 name=$2
  shift 2
  if id "$name" >/dev/null 2>&1; then return; fi
  if useradd --system --user-group "$@" "$name"; then
    : >"$PREFIX/$mark"
  else
    # It may be made already when its home can't be.
    ! id "$name" >/dev/null 2>&1 || userdel "$name"
    return 1
  fi
}

make_users() {
  make_user agent-user-made "$AGENT_USER" --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin || return 1
  [ "$SHELL_USER" = "$DEFAULT_SHELL_USER" ] || return 0
  shell=/bin/sh
  [ ! -x /bin/bash ] || shell=/bin/bash
  make_user user-made "$SHELL_USER" --create-home --home-dir "/home/$SHELL_USER" --shell "$shell"
}

# Writes nothing where all is right: the disk may be full.
own_files() {
  failed=
  if [ -n "$(wrong_files)" ] || [ "$(stat -c '%U %a' "$STATE")" != "$AGENT_USER 711" ]; then
    # Owned by root meanwhile, so that no file can be replaced with a link between the check and the change.
    chown -h root: "$STATE" && chmod 700 "$STATE" && own_entries || failed=yes
    # `warren-agent status` may be asked by anyone; the key is the agent's alone.
    chmod 711 "$STATE" || failed=yes
    chown -h "$AGENT_USER:" "$STATE" || failed=yes
  fi
  [ ! -e "$PREFIX/network.env" ] || {
    # Root also sources it as a script, so only root may write it.
    chown "root:$AGENT_USER" "$PREFIX/network.env" && chmod 640 "$PREFIX/network.env" || failed=yes
  }
  [ -z "$failed" ]
}

# Prints entries of the state folder with another owner or mode than they should have.
wrong_files() {
  find "$STATE" -mindepth 1 ! -user "$AGENT_USER" 2>&1
  find "$STATE" -mindepth 1 -maxdepth 1 -type f \( -name device.json -o -name status.json \) ! -perm 644 2>&1
  find "$STATE" -mindepth 1 -maxdepth 1 -type f ! -name device.json ! -name status.json ! -perm 600 2>&1
}

own_entries() {
  bad=
  for file in "$STATE"/* "$STATE"/.[!.]*; do
    [ -e "$file" ] || [ -L "$file" ] || continue
    chown -Rh "$AGENT_USER:" "$file" || bad=yes
    [ -f "$file" ] && [ ! -L "$file" ] || continue
    case $file in
      */device.json | */status.json) chmod 644 "$file" || bad=yes ;;
      *) chmod 600 "$file" || bad=yes ;;
    esac
  done
  [ -z "$bad" ]
}

# place UNIT: writes it if it differs.
place() {
  replace "$UNITS" "$1" "$(sed -e "s|@PREFIX@|$PREFIX|g" -e "s|@SHELL_USER@|$SHELL_USER|g" -e "s|@VIA@|$VIA|g" "$SHARE/$1")"
}

place_units() {
  VIA=pam
  [ "$SHELL_USER" != "$DEFAULT_SHELL_USER" ] || VIA=direct
  CHANGED=
  failed=
  for unit in warren-shells.slice warren-agent-shell@.service warren-agent-shell.socket; do
    place "$unit" || failed=yes
  done
  if [ -n "$CHANGED" ]; then
    systemctl daemon-reload || failed=yes
    systemctl enable --quiet warren-agent-shell.socket || failed=yes
    systemctl restart warren-agent-shell.socket || failed=yes
  elif ! systemctl --quiet is-active warren-agent-shell.socket; then
    systemctl start warren-agent-shell.socket || failed=yes
  fi
  [ -z "$failed" ]
}

# The page of the version that is current; a device without manuals, or with a read-only /usr, does without it.
place_manual() {
  page=/usr/local/share/man/man8/warren-agent.8
  target=$PREFIX/current/share/warren-agent.8
  [ -d /usr/local/share ] && [ "$(readlink "$page")" != "$target" ] || return 0
  mkdir -p "${page%/*}" 2>/dev/null && ln -sfn "$target" "$page" 2>/dev/null
}

status=0
keep_undo || status=1
choose_shell_user || exit 1
make_users || status=1
own_files || status=1
place_manual
place_units || status=1
exit "$status"
