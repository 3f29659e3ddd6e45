import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts the bare routes on the database of a service. */
export async function startBare(
  env: NodeJS.ProcessEnv | undefined,
): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
  const child = fork(join(import.meta.dirname, 'bare.server.ts'), {
    stdio: 'inherit',
    env: { ...env, NODE_ENV: 'production' },
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}
