# PostgreSQL, Redis and NATS from Debian's packages, with the entry points of their public images, which the chart calls.
ARG BASE
FROM ${BASE}
ENV DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 \
    PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends postgresql redis-server nats-server libnss-wrapper age rclone \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb
COPY servers.sh /usr/local/bin/servers
ENTRYPOINT ["/usr/local/bin/servers"]
