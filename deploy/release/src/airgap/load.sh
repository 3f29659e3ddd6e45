#!/bin/sh
# Loads Warren's images from this folder, without internet.
#   ./load.sh                                     into this machine's Docker
#   ./load.sh --push registry.example.com/warren  into a registry, for amd64 and arm64
set -eu
cd "$(dirname "$0")"
usage() { echo "usage: $0 [--push REGISTRY/PREFIX]" >&2; exit 64; }
push=
case $# in
  0) ;;
  2) [ "$1" = --push ] && [ -n "$2" ] || usage; push=${2%/} ;;
  *) usage ;;
esac
sha256sum --check --quiet SHA256SUMS || { echo 'Files of this folder are damaged or missing: copy it again.' >&2; exit 65; }
index=$(ls warren-*-images-index.tar)
version=${index#warren-}
version=${version%-images-index.tar}
images='gateway identity tenancy devices fleet audit tunnels hub migrate doctor test packages'

if [ -z "$push" ]; then
  case $(uname -m) in
    x86_64 | amd64) processor=amd64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) echo "This machine's processor is $(uname -m): expected x86_64 or aarch64." >&2; exit 69 ;;
  esac
  command -v docker >/dev/null || { echo 'docker is missing: install Docker, or use --push.' >&2; exit 69; }
  docker load --input "warren-$version-images-$processor.tar"
  exit
fi

command -v skopeo >/dev/null || { echo 'skopeo is missing: install the package skopeo.' >&2; exit 69; }
# Unpacked over one another, the archives are one layout. Beside them, as /tmp may be small.
layout=$(mktemp -d ./layout.XXXXXX)
trap 'rm -rf "$layout"' EXIT
for part in amd64 arm64 index; do tar -xf "warren-$version-images-$part.tar" -C "$layout"; done
# SKOPEO_OPTIONS: such as --dest-tls-verify=false. Credentials are those of `skopeo login`.
for image in $images; do
  # shellcheck disable=SC2086 # a list of options
  skopeo copy --all ${SKOPEO_OPTIONS:-} "oci:$layout:warren/$image:$version" "docker://$push/$image:$version"
done
