# The servers that Compose names, of Debian's packages: for machines that can't fetch the public images.
ARG BASE
FROM ${BASE}
ENV DEBIAN_FRONTEND=noninteractive XDG_DATA_HOME=/data XDG_CONFIG_HOME=/data \
    PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends postgresql redis-server nats-server caddy \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb \
 && mkdir -p /data
COPY servers.sh /usr/local/bin/servers
# As the image of Redis calls it.
RUN ln -s servers /usr/local/bin/docker-entrypoint.sh
ENTRYPOINT ["/usr/local/bin/servers"]
