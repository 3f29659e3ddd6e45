#!/bin/sh
# Installs the Warren agent on this device and enrols it.
#
#   curl -fsSL '<hub>/install/<account>?token=<token>' | sudo sh
#
# WARREN_PREFIX      where it goes (default /opt/warren-agent, state in /var/lib/warren-agent; when given, the state lies below it)
# WARREN_SERVICE     "none": no user and no systemd unit, only unpack and enrol; needs no root
# WARREN_SHELL_USER  whose login shell opens (default: the user that the agent runs as)
#
# On a device that already is enrolled this is an upgrade: key and device stay, and the token is not used.
set -eu

HUB='@HUB@'
ACCOUNT='@ACCOUNT@'
TOKEN='@TOKEN@'
# One package a line: os-arch file sha256 size
MANIFEST='@MANIFEST@'

SERVICE_USER=warren

say() { printf '%s\n' "$*"; }
fail() {
  printf 'warren: %s\n' "$*" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

# Settings: PREFIX, STATE, SERVICE, SHELL_USER.
read_settings() {
  SERVICE=${WARREN_SERVICE:-systemd}
  SHELL_USER=${WARREN_SHELL_USER:-}
  case $SERVICE in
    systemd | none) ;;
    *) fail "WARREN_SERVICE is \"$SERVICE\": expected \"systemd\" or \"none\"" ;;
  esac
  case $SHELL_USER in
    *[!A-Za-z0-9._-]*) fail "WARREN_SHELL_USER is \"$SHELL_USER\": expected the name of a user of this device" ;;
  esac
  if [ -n "${WARREN_PREFIX:-}" ]; then
    case $WARREN_PREFIX in
      /*) PREFIX=$WARREN_PREFIX ;;
      *) PREFIX=$(pwd)/$WARREN_PREFIX ;;
    esac
    STATE=$PREFIX/state
  else
    PREFIX=/opt/warren-agent
    STATE=/var/lib/warren-agent
  fi
  case $PREFIX in
    *[!A-Za-z0-9._/+@-]*) fail "WARREN_PREFIX is \"$PREFIX\": expected a path without blanks and special characters" ;;
  esac
}

check_system() {
  [ "$(uname -s)" = Linux ] || fail "this system is $(uname -s); the agent runs on Linux"
  case $(uname -m) in
    x86_64 | amd64) ARCH=x64 ;;
    aarch64 | arm64) ARCH=arm64 ;;
    armv7l) ARCH=armv7l ;;
    *) fail "there is no agent for the processor $(uname -m); there is one for x86_64, aarch64 and armv7l" ;;
  esac
  # A 64-bit kernel may carry a 32-bit system, as on many Raspberry Pi.
  if [ "$ARCH" != armv7l ] && has getconf && [ "$(getconf LONG_BIT 2>/dev/null || echo 64)" != 64 ]; then
    [ "$ARCH" = arm64 ] || fail "this system is 32-bit on a 64-bit kernel; the agent needs a 64-bit system"
    ARCH=armv7l
  fi
  for loader in /lib/ld-musl-*; do
    [ ! -e "$loader" ] || fail "this system is built on musl; the agent needs glibc 2.28 or later"
  done
  for tool in tar gzip sed mktemp; do
    has "$tool" || fail "$tool is missing on this device"
  done
  has sha256sum || has openssl || fail "sha256sum is missing on this device"
  has curl || has wget || fail "curl or wget is needed to download the agent"
}

check_rights() {
  [ "$SERVICE" = systemd ] || return 0
  [ "$(id -u)" = 0 ] || fail "installing a service needs root: run it with sudo, or set WARREN_SERVICE=none"
  [ -d /run/systemd/system ] || fail "this device does not run systemd: set WARREN_SERVICE=none and start the agent your own way"
  if [ -n "$SHELL_USER" ] && ! id "$SHELL_USER" >/dev/null 2>&1; then
    fail "WARREN_SHELL_USER is \"$SHELL_USER\": this device has no such user"
  fi
}

choose_package() {
  PACKAGE=$(printf '%s\n' "$MANIFEST" | sed -n "s/^linux-$ARCH //p" | head -n 1)
  [ -n "$PACKAGE" ] || fail "the hub has no agent for linux-$ARCH"
  # shellcheck disable=SC2086
  set -- $PACKAGE
  FILE=$1 SHA256=$2
}

download() {
  if has curl; then
    curl -fsSL --retry 3 -o "$2" "$1" || fail "can't download $1"
  else
    wget -q -O "$2" "$1" || fail "can't download $1"
  fi
}

sha256_of() {
  if has sha256sum; then
    sha256sum "$1" | cut -d ' ' -f 1
  else
    openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
  fi
}

# Each version has its folder, named after its content, so that an interrupted upgrade leaves the old one as it was.
unpack() {
  mkdir -p "$PREFIX/versions" "$PREFIX/bin" || fail "can't write to $PREFIX"
  VERSION_DIR=$PREFIX/versions/$(printf '%s' "$SHA256" | cut -c 1-16)
  if [ ! -x "$VERSION_DIR/lib/node" ]; then
    say "Downloading $FILE"
    download "$HUB/install/packages/$FILE" "$WORK/package.tar.gz"
    actual=$(sha256_of "$WORK/package.tar.gz")
    [ "$actual" = "$SHA256" ] || fail "$FILE is damaged: its sha256 is $actual, expected $SHA256"
    rm -rf "$VERSION_DIR.new"
    mkdir "$VERSION_DIR.new"
    gzip -dc "$WORK/package.tar.gz" | tar -xf - -C "$VERSION_DIR.new" || fail "can't unpack $FILE"
    rm -rf "$VERSION_DIR"
    mv "$VERSION_DIR.new" "$VERSION_DIR"
  fi
  "$VERSION_DIR/lib/node" --version >/dev/null 2>&1 || fail "the agent does not start on this system: it needs glibc 2.28 or later"
  ln -sfn "$VERSION_DIR" "$PREFIX/current"
  write_launcher
}

write_launcher() {
  cat >"$WORK/launcher" <<LAUNCHER
#!/bin/sh
WARREN_STATE=\${WARREN_STATE:-$STATE}
export WARREN_STATE
exec $PREFIX/current/lib/node --max-semi-space-size=2 --max-old-space-size=128 $PREFIX/current/lib/agent.mjs "\$@"
LAUNCHER
  chmod 755 "$WORK/launcher"
  mv -f "$WORK/launcher" "$PREFIX/bin/warren-agent"
}

enrol() {
  # By the environment, since arguments are visible to everyone on the device.
  WARREN_STATE=$STATE WARREN_HUB=$HUB WARREN_ACCOUNT=$ACCOUNT WARREN_TOKEN=$TOKEN WARREN_SHELL_USER=$SHELL_USER \
    "$PREFIX/bin/warren-agent" enrol || exit 1
}

make_user() {
  RUN_AS=$SERVICE_USER
  # Only root may open shells of other users.
  if [ -n "$SHELL_USER" ] && [ "$SHELL_USER" != "$SERVICE_USER" ]; then RUN_AS=root; fi
  [ "$RUN_AS" = "$SERVICE_USER" ] || return 0
  if ! id "$SERVICE_USER" >/dev/null 2>&1; then
    shell=/bin/sh
    [ ! -x /bin/bash ] || shell=/bin/bash
    useradd --system --user-group --create-home --home-dir /home/$SERVICE_USER --shell "$shell" "$SERVICE_USER" ||
      fail "can't make the user $SERVICE_USER"
  fi
}

install_service() {
  chown -R "$RUN_AS:" "$STATE"
  sed -e "s|@PREFIX@|$PREFIX|g" -e "s|@USER@|$RUN_AS|g" "$PREFIX/current/share/warren-agent.service" >"$WORK/unit"
  install -m 644 "$WORK/unit" /etc/systemd/system/warren-agent.service
  for unit in warren-agent-reboot.path warren-agent-reboot.service; do
    install -m 644 "$PREFIX/current/share/$unit" /etc/systemd/system/$unit
  done
  systemctl daemon-reload
  systemctl enable --quiet warren-agent.service
  systemctl enable --quiet --now warren-agent-reboot.path
  systemctl restart warren-agent.service || fail "the service does not start: see journalctl -u warren-agent"
  if "$PREFIX/bin/warren-agent" status --wait 30; then
    say "Shells open as ${SHELL_USER:-$SERVICE_USER}."
  else
    fail "the agent runs, but is not connected yet: see journalctl -u warren-agent"
  fi
}

# Versions that nothing points to any more.
tidy() {
  for old in "$PREFIX"/versions/*; do
    [ "$old" = "$VERSION_DIR" ] || rm -rf "$old"
  done
}

main() {
  read_settings
  check_system
  check_rights
  WORK=$(mktemp -d) || fail "can't make a temporary folder"
  trap 'rm -rf "$WORK"' EXIT
  trap 'exit 1' HUP INT TERM
  choose_package
  unpack
  if [ "$SERVICE" = systemd ]; then make_user; fi
  enrol
  if [ "$SERVICE" = systemd ]; then
    install_service
  else
    say "Start the agent with: $PREFIX/bin/warren-agent run"
  fi
  tidy
}

# At the very end, so that a download that breaks off runs nothing.
main
