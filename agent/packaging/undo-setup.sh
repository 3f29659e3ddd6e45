#!/bin/sh
# Gives the device back to a version of the agent that knows of one user only, as root:
# `sh undo-setup.sh <folder of the program> <folder of its state>`.
set -u

PREFIX=$1
STATE=$2
UNITS=/etc/systemd/system

read -r shell_user <"$PREFIX/shell-user"
# Such a version opens its own user's shells, or any user's as root.
run_as=root
[ "$shell_user" != warren ] || run_as=warren

systemctl disable --quiet --now warren-agent-shell.socket
# Such a version can't take over terminals.
systemctl stop 'warren-agent-shell@*.service'
rm -rf /run/warren-agent-keepers
rm -f "$UNITS/warren-agent-shell.socket" "$UNITS/warren-agent-shell@.service" "$UNITS/warren-shells.slice"
rm -f /usr/local/share/man/man8/warren-agent.8
chown -Rh "$run_as:" "$STATE"
chmod 700 "$STATE"
[ ! -e "$PREFIX/network.env" ] || chown "root:$(id -gn "$run_as")" "$PREFIX/network.env"
# Written for the owner of the folder, who was another one until now.
sed -i "s/^User=.*/User=$run_as/" "$UNITS/warren-agent.service"
systemctl daemon-reload
