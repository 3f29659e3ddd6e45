#!/bin/sh
# Writes a support bundle without secrets: versions, settings, logs, metrics, and what the doctor finds (docs/doctor.md).
#   ./bundle.sh [--since 24h] [--anonymous] [--out FILE]
set -eu
umask 077
usage() { echo "$1
usage: $0 [--since 24h] [--anonymous] [--out FILE]" >&2; exit 64; }
since=24h anonymous='' out=''
while [ $# -gt 0 ]; do
  case $1 in
    --since) [ $# -ge 2 ] || usage '--since: expected a duration such as 30m, 24h or 7d'; since=$2; shift ;;
    --out) [ $# -ge 2 ] && [ -n "$2" ] || usage '--out: expected a path'; out=$2; shift ;;
    --anonymous) anonymous=--anonymous ;;
    *) usage "$1: expected --since, --anonymous or --out" ;;
  esac
  shift
done
echo "$since" | grep -Eq '^[1-9][0-9]{0,4}[mhd]$' || usage "--since: expected a duration such as 30m, 24h or 7d (came: \"$since\")"
out=${out:-warren-bundle-$(date -u +%Y%m%dT%H%M%SZ).tar.gz}
case $out in /*) ;; *) out=$(pwd)/$out ;; esac
. "$(dirname "$0")/compose.sh"
# Docker does not support days.
case $since in *d) since=$((${since%d} * 24))h ;; esac

work=$(mktemp -d)
trap 'rm -rf "$work" "$out.part"' EXIT
trap 'exit 143' HUP INT TERM
in=$work/in
mkdir -p "$in/environment" "$in/versions" "$in/logs" "$in/state"
: >"$in/failed.txt"
# A collector has 30 s. Failures are recorded, and the others continue.
collect() {
  file=$1; shift
  timeout 30 "$@" >"$work/said" 2>&1 || echo "$file: $1 $2 failed: $(tail -n 1 "$work/said" | cut -c 1-300)" >>"$in/failed.txt"
  tail -c 4000000 "$work/said" >"$in/$file"
}
cp .env "$in/environment/dotenv.env"
collect versions/docker.txt docker version
# shellcheck disable=SC2086 # may be two words
collect versions/compose.txt $COMPOSE version
# shellcheck disable=SC2086
collect state/containers.txt $COMPOSE ps --all
collect state/resources.txt docker stats --no-stream
collect state/disks.txt df -h -P
for service in $services migrate packages postgres redis nats caddy; do
  # shellcheck disable=SC2086
  ids=$(timeout 30 $COMPOSE ps --all --quiet "$service" 2>/dev/null) || ids=
  [ -n "$ids" ] || { echo "$service: there is no container" >>"$in/failed.txt"; continue; }
  for id in $ids; do
    name=$(docker inspect --format '{{.Name}}' "$id" | tr -d / | cut -c 1-60) || name=$service
    collect "environment/$service.json" docker inspect --format '{{json .Config.Env}}' "$id"
    docker inspect --format "$name {{.Config.Image}} {{.Image}}" "$id" >>"$in/versions/images.txt" 2>/dev/null || :
    docker inspect --format "$name {{json .State}}" "$id" >>"$in/state/states.txt" 2>/dev/null || :
    collect "logs/$name.log" docker logs --timestamps --since "$since" --tail 20000 "$id"
  done
done
# Secrets first, so that they can be redacted from the texts that follow.
tar -C "$in" -c --format=ustar -f "$work/in.tar" failed.txt environment versions state logs
set --
for service in $services; do set -- "$@" --ops "$service=$service:9080"; done
# shellcheck disable=SC2086 # none, or one word
timeout 300 $COMPOSE run --rm -T doctor bundle --input - --out - $anonymous "$@" <"$work/in.tar" >"$out.part"
gzip -t "$out.part"
mv "$out.part" "$out"
echo "$out"
