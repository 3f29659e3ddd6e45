#!/bin/sh
# Installs the Warren agent on this device and enrols it.
#
#   curl -fsSL '<hub>/install/<account>?token=<token>' | sudo sh
#
# WARREN_PREFIX      where it goes (default /opt/warren-agent, state in /var/lib/warren-agent; when given, the state lies below it)
# WARREN_SERVICE     "none": no user and no systemd unit, only unpack and enrol; needs no root
# WARREN_SHELL_USER  whose login shell opens (default warren; without a service: the user that the agent runs as)
# WARREN_LABELS      labels of this device at the hub, such as site=north,ring=canary; those of the token win
# WARREN_METRICS     "off": the agent keeps no history of usage, for lines where each byte costs
# WARREN_CA          file with the certificate authorities that the hub's certificate may be of (PEM), if the system does not know them
# HTTPS_PROXY, HTTP_PROXY, NO_PROXY   the way out, if there is only one by a proxy; the agent will use it too
#
# On a device that already is enrolled this is an upgrade: key and device stay, and the token is not used.
# How it ends (sysexits(3)): 0 done, 64 a wrong setting, 65 a package that is not what was released, 69 the hub can't be reached,
# 71 this device can't run the agent, 73 no room or no right to write, 75 the clock is wrong, 77 no permission. A first
# installation that ends in anything but 0 before the device is enrolled leaves nothing behind.
set -eu
# The agent's user reads what root writes here, whatever the umask of the person; and reasons are looked up in the words of programs.
umask 022
LC_ALL=C
export LC_ALL

HUB='@HUB@'
ACCOUNT='@ACCOUNT@'
TOKEN='@TOKEN@'
# One package a line: os-arch file sha256 size
MANIFEST='@MANIFEST@'
# Ed25519 public key that releases are signed with, base64
RELEASE_KEY='@RELEASE_KEY@'

# Kilobytes of an unpacked version, and of a downloaded one
NEEDS_KB=180000
DOWNLOAD_KB=60000
# Seconds that the clock may be off, and may be off where dates of the certificate are the problem.
CLOCK_S=300
CERTIFICATE_S=20
# A transfer with fewer bytes a second than this, for so many seconds, ends
SLOW_BYTES=1024
STALL_S=60

say() { printf '%s\n' "$*"; }
# fail STATUS TEXT
fail() {
  status=$1
  shift
  printf 'warren: %s\n' "$*" >&2
  exit "$status"
}
has() { command -v "$1" >/dev/null 2>&1; }

# The first line that says something, of what a program said.
first_line() { printf '%s\n' "$1" | sed -n '/[^[:space:]]/{s/^[[:space:]]*//;p;q;}'; }

# try STATUS TEXT COMMAND…: runs the command; when it fails, ends with the text and the first line that the command said.
try() {
  status=$1 text=$2
  shift 2
  said=$("$@" 2>&1) || fail "$status" "$text: $(first_line "$said")"
  [ -z "$said" ] || say "$said"
}

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
  refuse_shared_prefix
  CA=${WARREN_CA:-}
  case $CA in
    '' | /*) ;;
    *) CA=$(pwd)/$CA ;;
  esac
  [ -z "$CA" ] || [ -r "$CA" ] || fail 64 "WARREN_CA is \"$CA\": there is no such file, or it can't be read"
}

# The whole folder goes when the installation fails, or the agent is removed.
refuse_shared_prefix() {
  [ ! -h "$PREFIX/current" ] && [ ! -e "$PREFIX/bin/warren-agent" ] || return 0
  for file in "$PREFIX"/* "$PREFIX"/.[!.]*; do
    [ -e "$file" ] || continue
    case ${file##*/} in
      bin | versions | state | release-key.pub | network.env | ca.pem | lost+found) ;;
      *) fail 64 "WARREN_PREFIX is \"$PREFIX\", which holds other files (${file##*/}): expected a folder for the agent alone" ;;
    esac
  done
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
  check_libc
  for tool in tar gzip sed mktemp; do
    has "$tool" || fail 71 "$tool is missing on this device"
  done
  has sha256sum || has openssl || fail 71 "sha256sum is missing on this device"
  has curl || has wget || fail 71 "curl or wget is needed to download the agent"
}

# What decides is the loader that the agent's runtime names: musl may lie beside it.
check_libc() {
  case $ARCH in
    x64) loader=/lib64/ld-linux-x86-64.so.2 ;;
    arm64) loader=/lib/ld-linux-aarch64.so.1 ;;
    armv7l) loader=/lib/ld-linux-armhf.so.3 ;;
  esac
  [ ! -e "$loader" ] || return 0
  for musl in /lib/ld-musl-*; do
    [ ! -e "$musl" ] || fail 71 "this system is built on musl; the agent needs glibc 2.28 or later"
  done
  # The package for armv7l brings its own.
  [ "$ARCH" = armv7l ] || fail 71 "$loader is missing: the agent needs glibc 2.28 or later"
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

# check_room PATH KILOBYTES [ADVICE]
check_room() {
  folder=$(standing "$1")
  # [ -w ] tells root yes on a read-only file system.
  probe=$(mktemp "$folder/.warren.XXXXXX" 2>&1) || fail 73 "can't write to $folder: ${probe##*: }${3:-}"
  rm -f "$probe"
  free=$(df -Pk "$folder" 2>/dev/null | sed -n '2s/^[^ ]* *[0-9]* *[0-9]* *\([0-9]*\) .*/\1/p')
  [ -z "$free" ] || [ "$free" -ge "$2" ] ||
    fail 73 "$folder has $((free / 1000)) MB left; the agent needs $(($2 / 1000)) MB there${3:-}"
}

check_execution() {
  folder=$(standing "$1")
  probe=$(mktemp "$folder/.warren.XXXXXX")
  printf '#!/bin/sh\n' >"$probe"
  chmod 700 "$probe"
  status=0
  said=$("$probe" 2>&1) || status=$?
  rm -f "$probe"
  [ "$status" != 0 ] || return 0
  mount=$(df -P "$folder" 2>/dev/null | sed -n '2s/.* //p')
  if grep -q "^[^ ]* $mount [^ ]* [^ ]*noexec" /proc/mounts 2>/dev/null; then
    fail 71 "$mount is mounted noexec, and the agent runs from $1: mount it without that, or set WARREN_PREFIX to a folder elsewhere"
  fi
  fail 71 "programs do not start from $folder: ${said##*: }"
}

# What the service needs besides: units, users, and the home of the user that is made.
check_service() {
  [ "$SERVICE" = systemd ] || return 0
  check_room /etc/systemd/system 1000
  id warren-agent >/dev/null 2>&1 || check_room /etc 1000
  [ -h "$PREFIX/current" ] || [ -n "$SHELL_USER" ] || id warren >/dev/null 2>&1 ||
    check_room /home/warren 1000 '; the user warren gets its home there, unless WARREN_SHELL_USER names a user of this device'
}

# fetch ADDRESS FILE: the file, or a line that says why not. A transfer that broke off is resumed.
fetch() {
  rm -f "$2"
  for pause in 1 2 4 ''; do
    ! transfer "$1" "$2" || return 0
    [ -n "$pause" ] && is_passing "$2" || break
    sleep "$pause"
  done
  # The programs do not say why they can't write.
  full=$(head -c 65536 /dev/zero 2>&1 >"$2.more") || fail 73 "can't write to ${2%/*}: ${full##*: }"
  fail 69 "can't download $1: $(first_line "$why")"
}

# transfer ADDRESS FILE: appends what is missing; RESULT is the exit status of curl or wget, why what it said.
transfer() {
  RESULT=0
  if has curl; then
    why=$(curl -fsSL -C - --connect-timeout 15 --speed-limit "$SLOW_BYTES" --speed-time "$STALL_S" ${CA:+--cacert "$CA"} \
      -o "$2" "$1" 2>&1) || RESULT=$?
  else
    # shellcheck disable=SC2086
    why=$(wget $(wget_options) -c ${CA:+--ca-certificate="$CA"} -O "$2" "$1" 2>&1) || RESULT=$?
  fi
  return "$RESULT"
}

# is_passing FILE: whether another try may end better.
is_passing() {
  has curl || {
    [ -s "$1" ]
    return
  }
  case $RESULT in
    # Broken off or stalled (libcurl-errors(3))
    18 | 28 | 52 | 55 | 56 | 92) ;;
    22) say "$why" | grep -Eq 'error: (408|429|5[0-9][0-9])' ;;
    # The other side can't resume: from the first byte
    33) rm -f "$1" ;;
    *) return 1 ;;
  esac
}

# GNU's says nothing at all with -q, and others don't know -nv.
wget_options() {
  case $(wget --version 2>/dev/null) in
    *GNU*) say "-nv -t 1 -T $STALL_S" ;;
    *) say -q ;;
  esac
}

# The time of the hub's Date header in seconds since 1970, and THEIRS in words: up to the first character that no date has, since
# a terminal may act on it. With --insecure from whatever answers at the hub's address.
hub_time() {
  if has curl; then
    answer=$(curl -sSI --suppress-connect-headers --connect-timeout 15 ${CA:+--cacert "$CA"} "$@" "$HUB/" 2>&1) || :
  else
    # shellcheck disable=SC2086
    answer=$(wget $(wget_options) -S --spider ${CA:+--ca-certificate="$CA"} ${1:+--no-check-certificate} "$HUB/" 2>&1) || :
  fi
  THEIRS=$(printf '%s\n' "$answer" | sed -n '/^ *[Dd][Aa][Tt][Ee]: */{s///;s/[^A-Za-z0-9:,+ -].*//;s/ *$//;p;q;}' | cut -c 1-40)
  [ -n "$THEIRS" ] || return 1
  THEN=$(date -u -d "$THEIRS" +%s 2>/dev/null || date -u -D '%a, %d %b %Y %T GMT' -d "$THEIRS" +%s 2>/dev/null)
}

# The time by which the hub and this device go must be the same, or certificates and the device's own proofs are refused.
check_clock() {
  has date || return 0
  limit=$CLOCK_S verified=true
  hub_time || {
    # A certificate may be younger than the clock is behind.
    case $answer in *'not yet valid'* | *'not yet activated'* | *expired*) limit=$CERTIFICATE_S ;; esac
    # Its certificate seems not to be valid. Nothing of what comes so is used but the time, for an explanation.
    hub_time --insecure || return 0
    verified=false
  }
  apart=$(($(date -u +%s) - THEN))
  direction='ahead of'
  if [ "$apart" -lt 0 ]; then
    apart=$((-apart))
    direction=behind
  fi
  [ "$apart" -gt "$limit" ] || return 0
  off="the clock of this device is $(in_words "$apart") $direction"
  if "$verified"; then
    fail 75 "$off the hub's ($THEIRS): set it, for example by timedatectl set-ntp true"
  fi
  fail 75 "$off what $HUB claims ($THEIRS), which is unverified because its certificate is refused: if the clock is wrong, set it, for example by timedatectl set-ntp true"
}

# A time in seconds, in the largest unit of which there are two.
in_words() {
  if [ "$1" -ge 172800 ]; then
    say "$(($1 / 86400)) days"
  elif [ "$1" -ge 7200 ]; then
    say "$(($1 / 3600)) hours"
  elif [ "$1" -ge 120 ]; then
    say "$(($1 / 60)) minutes"
  else
    say "$1 seconds"
  fi
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
    rm -rf "$VERSION_DIR.new"
    try 73 "can't write to $PREFIX" mkdir -p "$VERSION_DIR.new" "$PREFIX/bin"
    try 73 "can't unpack $FILE in $PREFIX" extract
    rm -rf "$VERSION_DIR"
    mv "$VERSION_DIR.new" "$VERSION_DIR"
    UNPACKED=yes
  fi
  said=$("$VERSION_DIR/lib/node" --version 2>&1) ||
    fail 71 "the agent does not start on this system; it needs glibc 2.28 or later: $(first_line "$said")"
  stop_update
  try 73 "can't write to $PREFIX" ln -sfn "$VERSION_DIR" "$PREFIX/current"
  UNPACKED=
  # What proved itself and puts updates in place; from here on the first of them.
  ln -sfn "$VERSION_DIR" "$PREFIX/steady"
  # An update has to be signed by this key, whatever the hub says then.
  say "$RELEASE_KEY" >"$PREFIX/release-key.pub"
  write_launcher
}

extract() { gzip -dc "$WORK/package.tar.gz" | tar -xf - -C "$VERSION_DIR.new"; }

# Ends a running update and discards the records of former ones.
stop_update() {
  [ "$SERVICE" != systemd ] ||
    systemctl stop warren-agent-update.path warren-agent-update.service 2>/dev/null || :
  rm -f "$PREFIX/trial" "$PREFIX/first-day" "$PREFIX/crashes" "$PREFIX/update.json" "$PREFIX/previous"
}

network_settings() {
  line HTTPS_PROXY "${HTTPS_PROXY:-${https_proxy:-}}"
  line HTTP_PROXY "${HTTP_PROXY:-${http_proxy:-}}"
  line NO_PROXY "${NO_PROXY:-${no_proxy:-}}"
  line NODE_EXTRA_CA_CERTS "${CA:+$PREFIX/ca.pem}"
  # What the downloads have trusted here, the agent trusts too.
  line SSL_CERT_FILE "${SSL_CERT_FILE:-}"
  line SSL_CERT_DIR "${SSL_CERT_DIR:-}"
  line WARREN_METRICS "${WARREN_METRICS:-}"
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

install_service() {
  [ -z "$SHELL_USER" ] || say "$SHELL_USER" >"$PREFIX/shell-user"
  try 73 "can't make the users, files and units of the agent" sh "$VERSION_DIR/share/setup.sh" "$PREFIX" "$STATE"
  "$PREFIX/bin/warren-agent" place-units || exit $?
  [ ! -d /usr/local/bin ] || ln -sf "$PREFIX/bin/warren-agent" /usr/local/bin/warren-agent 2>/dev/null ||
    say "/usr/local/bin can't be written: the command is $PREFIX/bin/warren-agent."
  try 71 "systemd does not take the agent's units" systemctl daemon-reload
  try 71 "systemd does not take the agent's units" systemctl enable --quiet --now warren-agent-setup.service
  try 71 "systemd does not take the agent's units" systemctl enable --quiet warren-agent.service
  try 71 "systemd does not take the agent's units" systemctl enable --quiet --now warren-agent-reboot.path warren-agent-update.path
  finish
}

# Restarts the agent in a unit of systemd's own, as a terminal of the agent closes with it.
finish() {
  set -- sh "$VERSION_DIR/share/finish.sh" "$PREFIX" "$VERSION_DIR"
  if has systemd-run; then
    ! systemctl --quiet is-active warren-agent.service ||
      say 'The agent restarts: a terminal in the console closes now, and can be opened again in a minute. The upgrade finishes without it.'
    set -- systemd-run --quiet --collect --pipe --wait --unit=warren-agent-upgrade "$@"
  fi
  "$@" </dev/null || exit $?
}

# Versions that nothing points to any more.
tidy() {
  for old in "$PREFIX"/versions/*; do
    [ "$old" = "$VERSION_DIR" ] || rm -rf "$old"
  done
}

# Whatever happens before the device is enrolled for the first time is undone; an upgrade that stops leaves the version that was there.
clean_up() {
  rm -rf "$WORK"
  if [ -n "$FRESH" ]; then
    # One that is a mount stays, empty.
    rm -rf "$PREFIX" "$STATE" 2>/dev/null || :
  elif [ -n "${VERSION_DIR:-}" ]; then
    rm -rf "$VERSION_DIR.new"
    [ -z "$UNPACKED" ] || rm -rf "$VERSION_DIR"
  fi
}

main() {
  FRESH=
  UNPACKED=
  read_settings
  check_system
  check_rights
  check_room "${TMPDIR:-/tmp}" "$DOWNLOAD_KB"
  WORK=$(mktemp -d 2>&1) || fail 73 "can't make a temporary folder: ${WORK##*: }"
  trap clean_up EXIT
  trap 'exit 1' HUP INT TERM
  check_room "$PREFIX" "$NEEDS_KB"
  check_execution "$PREFIX"
  check_room "$STATE" 1000
  check_service
  choose_package
  check_clock
  [ -h "$PREFIX/current" ] || [ -e "$STATE/key.pem" ] || [ -e "$STATE/device.json" ] || FRESH=yes
  check_signature
  unpack
  enrol
  if [ "$SERVICE" = systemd ]; then
    install_service
  else
    say "Start the agent with: $PREFIX/bin/warren-agent run"
    tidy
  fi
}

# At the very end, so that a download that breaks off runs nothing.
main
