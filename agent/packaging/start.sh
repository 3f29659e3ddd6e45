#!/bin/sh
# Starts this version of the agent with its runtime options, which are versioned with the package: `sh start.sh <command>`.
set -eu
version=${0%/share/start.sh}
# One heap for all threads: the others are idle, and what they keep is resident.
MALLOC_ARENA_MAX=1
# What a flood took goes back to the system. Without a limit of ours the C library raises its own, to 64 MiB.
MALLOC_TRIM_THRESHOLD_=1048576
export MALLOC_ARENA_MAX MALLOC_TRIM_THRESHOLD_
exec "$version/lib/node" --max-semi-space-size=1 --max-old-space-size=128 --v8-pool-size=1 "$version/lib/agent.mjs" "$@"
