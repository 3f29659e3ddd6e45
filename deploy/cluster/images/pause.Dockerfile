# Holds the namespaces of a pod.
ARG BASE
FROM ${BASE}
ENTRYPOINT ["/bin/sleep", "infinity"]
