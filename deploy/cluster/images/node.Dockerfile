# A node: what kubelet needs of Debian. Kubernetes' own programs are mounted.
ARG BASE
FROM ${BASE}
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends containerd runc containernetworking-plugins iptables ipset \
      iproute2 conntrack ethtool socat mount kmod procps tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb
ENTRYPOINT ["/usr/bin/tini", "--", "sleep", "infinity"]
