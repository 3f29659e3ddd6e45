#!/bin/sh
# Writes a support bundle of a release without secrets, with the rights of who runs kubectl: versions, settings, logs, events, metrics, and
# what the doctor finds (docs/doctor.md).
#   NS=warren RELEASE=warren FULL=warren ./support-bundle.sh [--since 24h] [--anonymous] [--out FILE]
set -eu
umask 077
usage() { echo "$1
usage: NS=warren RELEASE=warren FULL=warren $0 [--since 24h] [--anonymous] [--out FILE]" >&2; exit 64; }
ns=${NS:-warren} release=${RELEASE:-warren} full=${FULL:-warren}
since=24h anonymous='' out=''
while [ $# -gt 0 ]; do
  case $1 in
    --since) [ $# -ge 2 ] || usage '--since: expected a duration such as 30m, 24h or 7d'; since=$2; shift ;;
    --out) [ $# -ge 2 ] && [ -n "$2" ] || usage '--out: expected a path'; out=$2; shift ;;
    --anonymous) anonymous=',"--anonymous"' ;;
    *) usage "$1: expected --since, --anonymous or --out" ;;
  esac
  shift
done
echo "$since" | grep -Eq '^[1-9][0-9]{0,4}[mhd]$' || usage "--since: expected a duration such as 30m, 24h or 7d (came: \"$since\")"
out=${out:-warren-bundle-$(date -u +%Y%m%dT%H%M%SZ).tar.gz}
# kubectl knows no days.
case $since in *d) since=$((${since%d} * 24))h ;; esac

work=$(mktemp -d)
job=$full-bundle-$(date -u +%H%M%S)
made=
cleanup() {
  [ -z "$made" ] || kubectl delete job "$job" --namespace "$ns" --wait=false >/dev/null 2>&1 || :
  rm -rf "$work" "$out.part"
}
trap cleanup EXIT
trap 'exit 143' HUP INT TERM
in=$work/in
mkdir -p "$in/environment" "$in/versions" "$in/cluster" "$in/logs" "$in/metrics"
: >"$in/failed.txt"
k() { kubectl --namespace "$ns" --request-timeout=20s "$@"; }
# What fails is noted, and the others continue.
collect() {
  file=$1; shift
  k "$@" >"$work/said" 2>&1 || echo "$file: kubectl $1 $2 failed: $(tail -n 1 "$work/said" | cut -c 1-300)" >>"$in/failed.txt"
  tail -c 4000000 "$work/said" >"$in/$file"
}
ask="fetch('http://127.0.0.1:9080/metrics').then((answer) => answer.text()).then((text) => process.stdout.write(text))"
mine="--selector=app.kubernetes.io/instance=$release"
collect versions/kubernetes.txt version
collect versions/images.txt get deployments,statefulsets,cronjobs "$mine" --output=wide
collect environment/workloads.json get deployments "$mine" --output=json
collect cluster/pods.txt get pods "$mine" --output=wide
collect cluster/describe.txt describe pods "$mine"
collect cluster/objects.txt get services,ingresses,jobs,horizontalpodautoscalers,poddisruptionbudgets,networkpolicies "$mine"
collect cluster/events.txt get events --sort-by=.lastTimestamp
pods=$(k get pods "$mine" --output=name 2>/dev/null) || pods=
for pod in $pods; do
  name=$(echo "${pod#pod/}" | cut -c 1-60)
  collect "logs/$name.log" logs "$pod" --all-containers --prefix --timestamps --since="$since" --tail=20000 --limit-bytes=4000000
  # Most pods have no container that ended.
  k logs "$pod" --all-containers --prefix --timestamps --previous --tail=2000 --limit-bytes=1000000 >"$in/logs/$name.previous.log" 2>/dev/null ||
    rm -f "$in/logs/$name.previous.log"
  # Asked from inside: network policies refuse the API server's proxy.
  for service in gateway tunnels identity tenancy devices fleet audit; do
    case $name in *-$service-*) collect "metrics/$name.txt" exec "$pod" --container="$service" -- node --eval "$ask" ;; esac
  done
done
# Settings first, so that secrets in them are known when texts come by.
tar -C "$in" -c --format=ustar -f "$work/in.tar" failed.txt environment versions cluster metrics logs

# The doctor's Job, which waits for what it is given by its stdin.
args='["bundle","--input","-","--out","-"'$anonymous']'
made=1
kubectl create job "$job" --namespace "$ns" --from="cronjob/$full-doctor" --dry-run=client --output=json |
  kubectl patch --local --filename=- --type=json --output=json --patch='[
    {"op": "add", "path": "/spec/template/spec/containers/0/args", "value": '"$args"'},
    {"op": "add", "path": "/spec/template/spec/containers/0/stdin", "value": true},
    {"op": "add", "path": "/spec/template/spec/containers/0/stdinOnce", "value": true}]' |
  kubectl create --namespace "$ns" --filename=- >/dev/null
tries=0
until k wait pod --selector="job-name=$job" --for=condition=Ready --timeout=5s >/dev/null 2>&1; do
  tries=$((tries + 1))
  [ $tries -lt 30 ] || { echo "The doctor's pod does not start: kubectl describe pods -n $ns -l job-name=$job" >&2; exit 69; }
  sleep 1
done
pod=$(k get pods --selector="job-name=$job" --output=name | head -n 1)
kubectl attach "$pod" --namespace "$ns" --container=doctor --stdin --quiet <"$work/in.tar" >"$out.part"
gzip -t "$out.part" || { echo 'The bundle did not arrive whole: run this again.' >&2; exit 74; }
mv "$out.part" "$out"
echo "$out"
