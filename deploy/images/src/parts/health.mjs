// Checks the readiness of this container's process: /readyz as an exit code.
const port = process.env.OPS_PORT ?? '9080';
const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4000) }).catch(
  () => undefined,
);
process.exit(answer?.ok ? 0 : 1);
