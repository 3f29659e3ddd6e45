import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@warren/infra/ports';
import { launch, untilReady } from '@warren/infra/process';
import { WebSocket } from 'ws';
import { Heard } from '../targets/heard.ts';
import type { Target, Terminal } from '../terminal.ts';
import { unpacked } from './debian.ts';
import type { Ssh } from './ssh.ts';

/** The first byte of a message says what it is; the same for input and output. */
const DATA = '0'.charCodeAt(0);

/**
 * A terminal in the browser by the smallest program for it: ttyd of Debian, on this machine and reached through `ssh -R`.
 * @throws Error that says why it is not there
 */
export async function startTtyd(ssh: Ssh): Promise<{ targets: Target[]; stop(): Promise<void> }> {
  const { command, args, env } = await unpacked('ttyd', ['libwebsockets-evlib_uv.so']);
  const port = await freePort();
  const log = join(tmpdir(), `warren-bench-ttyd-${port}.log`);
  const options = ['-i', '127.0.0.1', '-p', String(port), '-W', '-d', '3'];
  const spec = {
    name: 'ttyd',
    command,
    args: [...args, ...options, '/bin/bash', '--norc', '--noprofile'],
    env,
    log,
    ready: () => fetch(`http://127.0.0.1:${port}/token`),
  };
  const running = launch(spec);
  const stop = async () => {
    await running.stop();
    await rm(log, { force: true });
  };
  await untilReady(spec, running);
  const remote = await ssh.reverse(port);
  const target = (name: string, at: number) => ({ name, open: () => openTerminal(`ws://127.0.0.1:${at}/ws`) });
  return { targets: [target('ttyd', port), target('ttyd over ssh -R', remote)], stop };
}

async function openTerminal(url: string): Promise<Terminal> {
  const socket = new WebSocket(url, ['tty'], { perMessageDeflate: false });
  const heard = new Heard();
  socket.on('message', (data: Buffer) => {
    if (data[0] === DATA) heard.tell(data.subarray(1));
  });
  await once(socket, 'open');
  socket.send(Buffer.from(JSON.stringify({ AuthToken: '', columns: 80, rows: 24 })));
  return {
    write: (text) => socket.send(Buffer.from(`0${text}`)),
    onOutput: (listener) => heard.listen(listener),
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
