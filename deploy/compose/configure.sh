#!/bin/sh
# Writes the .env of compose.yaml, with a random secret for each server and service. An .env that is there is left alone.
#   ./configure.sh hub.example.com devices.example.net operator@example.com smtp://mail.example.com:25
set -eu
cd "$(dirname "$0")"
umask 077

usage() { echo "$1" >&2; echo "usage: $0 HUB_HOST DEVICE_DOMAIN OPERATOR_EMAIL SMTP_URL" >&2; exit 64; }
[ $# -eq 4 ] || usage "$# arguments came, expected 4"
host='^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$'
printf '%s' "$1" | grep -Eq "$host" || usage "HUB_HOST is \"$1\": expected a host name such as hub.example.com"
printf '%s' "$2" | grep -Eq "$host" || usage "DEVICE_DOMAIN is \"$2\": expected a domain such as devices.example.net"
case $3 in *?@?*) ;; *) usage "OPERATOR_EMAIL is \"$3\": expected an address" ;; esac
case $4 in smtp://?* | smtps://?*) ;; *) usage "SMTP_URL is \"$4\": expected smtp://host:port or smtps://user:password@host:port" ;; esac
[ ! -e .env ] || { echo ".env is there already: nothing was changed. Its secrets are those of the data in the volumes." >&2; exit 73; }

. ./secrets.sh
cat >.env.new <<END
HUB_HOST=$1
DEVICE_DOMAIN=$2
OPERATOR_EMAIL=$3
SMTP_URL=$4
MAIL_FROM=

# A JSON list; the metadata is a file of the folder saml, or an address. With several, each needs the "domains" of its e-mail addresses.
SAML_PROVIDERS=[{"id":"default","name":"Company sign-in","metadata":"/etc/warren/saml/default.xml"}]
# OpenID Connect providers, beside or instead of those; client secrets are files of the folder oidc (docs/operations/openid-connect.md).
OIDC_PROVIDERS=

# on-demand: Let's Encrypt for each name; files: certificates/tls.crt and tls.key; internal: for trying.
TLS_MODE=on-demand
ACME_EMAIL=$3

IMAGE_PREFIX=warren
IMAGE_TAG=0.1.0
# How many of each service run.
REPLICAS=2
# Quotas of accounts (QUOTA_DEVICES and so on) and RATE_LIMITS: docs/limits.md.
# Memory of the containers is for 1,000 devices; docs/operations/scale.md has the settings for more or fewer.

# Backups (docs/operations/upgrade-and-back-up.md): after how many hours without one an alert fires (0: they are made elsewhere), how long they are kept, whom
# they are encrypted for, where they are copied to.
WARREN_BACKUP_MAX_AGE_HOURS=50
WARREN_BACKUP_KEEP_DAYS=14
WARREN_BACKUP_KEEP_LAST=3
WARREN_BACKUP_RECIPIENT=
WARREN_BACKUP_S3_ENDPOINT=
WARREN_BACKUP_S3_BUCKET=
WARREN_BACKUP_S3_ACCESS_KEY_ID=
WARREN_BACKUP_S3_SECRET_ACCESS_KEY=

END
add_secrets .env.new
mv .env.new .env
echo "Written: $(pwd)/.env, which only its owner reads. Keep a copy of it where your backups are."
echo "Next: your provider's SAML metadata as saml/default.xml, then docker compose up --detach"
