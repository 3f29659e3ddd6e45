# Programs that run in the cluster beside Warren, from the build context.
ARG BASE
FROM ${BASE}
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends redis-tools postgresql-client age netcat-openbsd \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb
COPY bin/ /usr/local/bin/
ENTRYPOINT ["/bin/sleep", "infinity"]
