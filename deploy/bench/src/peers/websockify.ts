import { freePort, portRefusal } from '@warren/infra/ports';
import { launch, untilReady } from '@warren/infra/process';
import { findProgram } from '@warren/infra/programs';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { Pipe, PipeTarget } from '../pipe.ts';
import { socketPipe } from './socket.pipe.ts';
import type { Ssh } from './ssh.ts';

/** A desktop in the browser as many have it: websockify on the device, reached through `ssh -R`. Undefined when it is not installed. */
export async function startWebsockify(
  ssh: Ssh,
  to: number,
): Promise<(PipeTarget & { stop(): Promise<void> }) | undefined> {
  const command = findProgram('websockify');
  if (!command) return undefined;
  const port = await freePort();
  const log = join(tmpdir(), `warren-bench-websockify-${port}.log`);
  const spec = {
    name: 'websockify',
    command,
    args: [`127.0.0.1:${port}`, `127.0.0.1:${to}`],
    log,
    ready: async () => {
      if (!(await portRefusal('127.0.0.1', port))) throw new Error(`nothing listens on port ${port}`);
    },
  };
  const running = launch(spec);
  await untilReady(spec, running);
  const url = `ws://127.0.0.1:${await ssh.reverse(port)}`;
  const stop = async () => {
    await running.stop();
    await rm(log, { force: true });
  };
  return { name: 'websockify over ssh -R', open: () => open(url), stop };
}

async function open(url: string): Promise<Pipe> {
  const socket = new WebSocket(url, ['binary'], { perMessageDeflate: false });
  await once(socket, 'open');
  return socketPipe(socket);
}
