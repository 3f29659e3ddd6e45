#!/bin/sh
# Installs the Warren agent on this device and enrols it.
#
#   curl -fsSL '<hub>/install/<account>?token=<token>' | sudo sh
#
# WARREN_PREFIX      where it goes (default /opt/warren-agent, state in /var/lib/warren-agent; when given, the state lies below it)
# WARREN_SERVICE     "none": no user and no systemd unit, only unpack and enrol; needs no root
# WARREN_SHELL_USER  whose login shell opens (default: the user that the agent runs as)
# WARREN_CA          file with the certificate authorities that the hub's certificate may be of (PEM), if it is a private one
# HTTPS_PROXY, HTTP_PROXY, NO_PROXY   the way out, if there is only one by a proxy; the agent will use it too
#
# On a device that already is enrolled this is an upgrade: key and device stay, and the token is not used.
# How it ends (sysexits(3)): 0 done, 64 a wrong setting, 65 a package that is not what was released, 69 the hub can't be reached,
# 71 this device can't run the agent, 73 no room or no right to write, 75 the clock is wrong, 77 no permission. A first
# installation that ends in anything but 0 before the device is enrolled leaves nothing behind.
set -eu

HUB='@HUB@'
ACCOUNT='@ACCOUNT@'
TOKEN='@TOKEN@'
# One package a line: os-arch file sha256 size
MANIFEST='@MANIFEST@'
# Ed25519 public key that releases are signed with, base64
RELEASE_KEY='@RELEASE_KEY@'

SERVICE_USER=warren
# Kilobytes of an unpacked version, and of a downloaded one
NEEDS_KB=180000
DOWNLOAD_KB=60000
CLOCK_S=300

say() { printf '%s\n' "$*"; }
# fail STATUS TEXT
fail() {
  status=$1
  shift
  printf 'warren: %s\n' "$*" >&2
  exit "$status"
}
has() { command -v "$1" >/dev/null 2>&1; }

# Settings: PREFIX, STATE, SERVICE, SHELL_USER.
read_settings() {
  SERVICE=${WARREN_SERVICE:-systemd}
  SHELL_USER=${WARREN_SHELL_USER:-}
  case $SERVICE in
    systemd | none) ;;
    *) fail 64 "WARREN_SERVICE is \"$SERVICE\": expected \"systemd\" or \"none\"" ;;
  esac
  case $SHELL_USER in
    *[!A-Za-z0-9._-]*) fail 64 "WARREN_SHELL_USER is \"$SHELL_USER\": expected the name of a user of this device" ;;
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
    *[!A-Za-z0-9._/+@-]*) fail 64 "WARREN_PREFIX is \"$PREFIX\": expected a path without blanks and special characters" ;;
  esac
  CA=${WARREN_CA:-}
  case $CA in
    '' | /*) ;;
    *) CA=$(pwd)/$CA ;;
  esac
  [ -z "$CA" ] || [ -r "$CA" ] || fail 64 "WARREN_CA is \"$CA\": there is no such file, or it can't be read"
}

check_system() {
  [ "$(uname -s)" = Linux ] || fail 71 "this system is $(uname -s); the agent runs on Linux"
  case $(uname -m) in
    x86_64 | amd64) ARCH=x64 ;;
    aarch64 | arm64) ARCH=arm64 ;;
    armv7l) ARCH=armv7l ;;
    *) fail 71 "there is no agent for the processor $(uname -m); there is one for x86_64, aarch64 and armv7l" ;;
  esac
  # A 64-bit kernel may carry a 32-bit system, as on many Raspberry Pi.
  if [ "$ARCH" != armv7l ] && has getconf && [ "$(getconf LONG_BIT 2>/dev/null || echo 64)" != 64 ]; then
    [ "$ARCH" = arm64 ] || fail 71 "this system is 32-bit on a 64-bit kernel; the agent needs a 64-bit system"
    ARCH=armv7l
  fi
  for loader in /lib/ld-musl-*; do
    [ ! -e "$loader" ] || fail 71 "this system is built on musl; the agent needs glibc 2.28 or later"
  done
  for tool in tar gzip sed mktemp; do
    has "$tool" || fail 71 "$tool is missing on this device"
  done
  has sha256sum || has openssl || fail 71 "sha256sum is missing on this device"
  has curl || has wget || fail 71 "curl or wget is needed to download the agent"
}

check_rights() {
  [ "$SERVICE" = systemd ] || return 0
  [ "$(id -u)" = 0 ] || fail 77 "installing a service needs root: run it with sudo, or set WARREN_SERVICE=none"
  [ -d /run/systemd/system ] ||
    fail 71 "this device does not run systemd: set WARREN_SERVICE=none and start the agent your own way"
  if [ -n "$SHELL_USER" ] && ! id "$SHELL_USER" >/dev/null 2>&1; then
    fail 64 "WARREN_SHELL_USER is \"$SHELL_USER\": this device has no such user"
  fi
}

# The nearest folder above $1 that is there.
standing() {
  folder=$1
  while [ ! -d "$folder" ]; do folder=${folder%/*}; done
  printf '%s' "${folder:-/}"
}

# check_room PATH KILOBYTES
check_room() {
  folder=$(standing "$1")
  # [ -w ] tells root yes on a read-only file system.
  probe=$(mktemp "$folder/.warren.XXXXXX" 2>/dev/null) || fail 73 "can't write to $folder: it is read-only, or full"
  rm -f "$probe"
  free=$(df -Pk "$folder" 2>/dev/null | sed -n '2s/^[^ ]* *[0-9]* *[0-9]* *\([0-9]*\) .*/\1/p')
  [ -z "$free" ] || [ "$free" -ge "$2" ] ||
    fail 73 "$folder has $((free / 1000)) MB left; the agent needs $(($2 / 1000)) MB there"
}

# fetch ADDRESS FILE: the file, or a line that says why not.
fetch() {
  if has curl; then
    curl -fsSL --retry 3 --connect-timeout 15 ${CA:+--cacert "$CA"} -o "$2" "$1" 2>"$WORK/why"
  else
    wget -q ${CA:+--ca-certificate="$CA"} -O "$2" "$1" 2>"$WORK/why"
  fi || fail 69 "can't download $1: $(sed -n '$p' "$WORK/why")"
}

# The time by which the hub and this device go must be the same, or certificates and the device's own proofs are refused.
check_clock() {
  has curl && has date || return 0
  theirs=$(curl -sI --connect-timeout 15 ${CA:+--cacert "$CA"} "$HUB/" 2>/dev/null |
    sed -n 's/^[Dd][Aa][Tt][Ee]: *\(.*[^[:space:]]\)[[:space:]]*$/\1/p')
  [ -n "$theirs" ] || return 0
  then=$(date -u -d "$theirs" +%s 2>/dev/null) || return 0
  apart=$(($(date -u +%s) - then))
  direction=ahead
  if [ "$apart" -lt 0 ]; then
    apart=$((-apart))
    direction=behind
  fi
  [ "$apart" -le "$CLOCK_S" ] ||
    fail 75 "the clock of this device is $((apart / 60)) minutes $direction of the hub's ($theirs): set it, for example by timedatectl set-ntp true"
}

choose_package() {
  PACKAGE=$(printf '%s\n' "$MANIFEST" | sed -n "s/^linux-$ARCH //p" | head -n 1)
  [ -n "$PACKAGE" ] || fail 71 "the hub has no agent for linux-$ARCH"
  # shellcheck disable=SC2086
  set -- $PACKAGE
  FILE=$1 SHA256=$2
}

sha256_of() {
  if has sha256sum; then
    sha256sum "$1" | cut -d ' ' -f 1
  else
    openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
  fi
}

# The list of packages must be signed by the release key, and name this very package. OpenSSL before 3.0 can't tell; there the
# hash that came from the hub has to do.
check_signature() {
  has openssl && openssl version | grep -q '^OpenSSL [3-9]' || return 0
  fetch "$HUB/install/packages/manifest.json" "$WORK/manifest.json"
  fetch "$HUB/install/packages/manifest.json.sig" "$WORK/signature"
  {
    say '-----BEGIN PUBLIC KEY-----'
    # What stands before the 32 bytes of each Ed25519 key (RFC 8410, section 4).
    say "MCowBQYDK2VwAyEA$RELEASE_KEY"
    say '-----END PUBLIC KEY-----'
  } >"$WORK/key.pem"
  openssl base64 -d -A -in "$WORK/signature" -out "$WORK/signature.bin" 2>/dev/null || :
  openssl pkeyutl -verify -pubin -inkey "$WORK/key.pem" -rawin -in "$WORK/manifest.json" \
    -sigfile "$WORK/signature.bin" >/dev/null 2>&1 ||
    fail 65 "the list of packages is not signed by the release key of this hub; nothing was installed"
  grep -q "\"$SHA256\"" "$WORK/manifest.json" || fail 65 "$FILE is not in the signed list of packages; nothing was installed"
}

# Each version has its folder, named after its content, so that an interrupted upgrade leaves the old one as it was.
unpack() {
  VERSION_DIR=$PREFIX/versions/$(printf '%s' "$SHA256" | cut -c 1-16)
  if [ ! -x "$VERSION_DIR/lib/node" ]; then
    say "Downloading $FILE"
    fetch "$HUB/install/packages/$FILE" "$WORK/package.tar.gz"
    actual=$(sha256_of "$WORK/package.tar.gz")
    [ "$actual" = "$SHA256" ] || fail 65 "$FILE is damaged: its sha256 is $actual, expected $SHA256"
    mkdir -p "$PREFIX/versions" "$PREFIX/bin" || fail 73 "can't write to $PREFIX"
    rm -rf "$VERSION_DIR.new"
    mkdir "$VERSION_DIR.new" || fail 73 "can't write to $PREFIX"
    gzip -dc "$WORK/package.tar.gz" | tar -xf - -C "$VERSION_DIR.new" || fail 73 "can't unpack $FILE in $PREFIX: is there room?"
    rm -rf "$VERSION_DIR"
    mv "$VERSION_DIR.new" "$VERSION_DIR"
  fi
  "$VERSION_DIR/lib/node" --version >/dev/null 2>&1 || fail 71 "the agent does not start on this system: it needs glibc 2.28 or later"
  stop_update
  ln -sfn "$VERSION_DIR" "$PREFIX/current"
  # What proved itself and puts updates in place; from here on the first of them.
  ln -sfn "$VERSION_DIR" "$PREFIX/steady"
  # An update has to be signed by this key, whatever the hub says then.
  say "$RELEASE_KEY" >"$PREFIX/release-key.pub"
  write_launcher
}

# An update that is under way is over, and what is known of former ones counts no more.
stop_update() {
  [ "$SERVICE" != systemd ] ||
    systemctl stop warren-agent-update.path warren-agent-update.service 2>/dev/null || :
  rm -f "$PREFIX/trial" "$PREFIX/update.json" "$PREFIX/previous"
}

network_settings() {
  line HTTPS_PROXY "${HTTPS_PROXY:-${https_proxy:-}}"
  line HTTP_PROXY "${HTTP_PROXY:-${http_proxy:-}}"
  line NO_PROXY "${NO_PROXY:-${no_proxy:-}}"
  line NODE_EXTRA_CA_CERTS "${CA:+$PREFIX/ca.pem}"
}

# line NAME VALUE: a setting for the launcher, as a shell reads it.
line() { [ -z "$2" ] || printf "%s='%s'\nexport %s\n" "$1" "$(printf '%s' "$2" | sed "s/'/'\\\\''/g")" "$1"; }

write_launcher() {
  [ -z "$CA" ] || cat "$CA" >"$PREFIX/ca.pem"
  # The address of a proxy may hold a password.
  (umask 077 && network_settings >"$PREFIX/network.env")
  cat >"$WORK/launcher" <<LAUNCHER
#!/bin/sh
WARREN_STATE=\${WARREN_STATE:-$STATE}
WARREN_PROGRAM=$PREFIX
export WARREN_STATE WARREN_PROGRAM
if [ -r $PREFIX/network.env ]; then . $PREFIX/network.env; fi
if [ "\${1:-}" = uninstall ]; then exec sh $PREFIX/current/share/uninstall.sh $PREFIX "\$WARREN_STATE" "\$@"; fi
program=$PREFIX/current
if [ "\${1:-}" = apply-update ]; then program=$PREFIX/steady; fi
exec sh \$program/share/start.sh "\$@"
LAUNCHER
  chmod 755 "$WORK/launcher"
  mv -f "$WORK/launcher" "$PREFIX/bin/warren-agent"
}

enrol() {
  # By the environment, since arguments are visible to everyone on the device.
  status=0
  WARREN_STATE=$STATE WARREN_HUB=$HUB WARREN_ACCOUNT=$ACCOUNT WARREN_TOKEN=$TOKEN WARREN_SHELL_USER=$SHELL_USER \
    "$PREFIX/bin/warren-agent" enrol || status=$?
  [ "$status" = 0 ] || exit "$status"
  FRESH=
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
      fail 73 "can't make the user $SERVICE_USER"
    : >"$PREFIX/user-made"
  fi
}

install_service() {
  chown -R "$RUN_AS:" "$STATE"
  # Root reads it as a script too, so nobody else may write it.
  chown "root:$(id -gn "$RUN_AS")" "$PREFIX/network.env"
  chmod 640 "$PREFIX/network.env"
  "$PREFIX/bin/warren-agent" place-units || exit $?
  [ ! -d /usr/local/bin ] || ln -sf "$PREFIX/bin/warren-agent" /usr/local/bin/warren-agent
  systemctl daemon-reload
  systemctl enable --quiet warren-agent.service
  systemctl enable --quiet --now warren-agent-reboot.path warren-agent-update.path
  systemctl restart warren-agent.service || fail 69 "the service does not start: see journalctl -u warren-agent"
  status=0
  "$PREFIX/bin/warren-agent" status --wait 30 || status=$?
  case $status in
    0) say "Shells open as ${SHELL_USER:-$SERVICE_USER}." ;;
    77) fail 77 "the hub refuses the key of this device, as the line above says" ;;
    *) fail 69 "the agent runs, but is not connected yet: see journalctl -u warren-agent" ;;
  esac
}

# Versions that nothing points to any more.
tidy() {
  for old in "$PREFIX"/versions/*; do
    [ "$old" = "$VERSION_DIR" ] || rm -rf "$old"
  done
}

# Whatever happens before the device is enrolled for the first time is undone.
clean_up() {
  rm -rf "$WORK"
  [ -z "$FRESH" ] || rm -rf "$PREFIX" "$STATE"
}

main() {
  FRESH=
  read_settings
  check_system
  check_rights
  check_room "${TMPDIR:-/tmp}" "$DOWNLOAD_KB"
  WORK=$(mktemp -d) || fail 73 "can't make a temporary folder"
  trap clean_up EXIT
  trap 'exit 1' HUP INT TERM
  check_room "$PREFIX" "$NEEDS_KB"
  check_room "$STATE" 1000
  choose_package
  check_clock
  [ -e "$PREFIX/current" ] || [ -e "$STATE" ] || FRESH=yes
  check_signature
  unpack
  enrol
  if [ "$SERVICE" = systemd ]; then
    make_user
    install_service
  else
    say "Start the agent with: $PREFIX/bin/warren-agent run"
  fi
  tidy
}

# At the very end, so that a download that breaks off runs nothing.
main
