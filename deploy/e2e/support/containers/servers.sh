#!/bin/sh
# Stands in for the entry points of the public images of PostgreSQL, Redis, NATS and Caddy, with Debian's programs.
set -e
case ${1:-} in
  postgres)
    shift
    data=/var/lib/postgresql/data
    mkdir -p "$data" /var/run/postgresql
    chown postgres "$data" /var/run/postgresql
    if [ ! -s "$data/PG_VERSION" ]; then
      printf %s "$POSTGRES_PASSWORD" >/tmp/password
      chown postgres /tmp/password
      setpriv --reuid=postgres --regid=postgres --init-groups initdb --pgdata="$data" --username=postgres \
        --auth-local=trust --auth-host=scram-sha-256 --pwfile=/tmp/password >/dev/null
      rm /tmp/password
      echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
    fi
    exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -D "$data" -c 'listen_addresses=*' "$@"
    ;;
  redis-server) exec "$@" --bind 0.0.0.0 --dir /data ;;
  --config) exec nats-server "$@" ;;
  '') exec caddy run --config /etc/caddy/Caddyfile --adapter caddyfile ;;
  *) exec "$@" ;;
esac
