import { join } from 'node:path';
import { freePort } from '@warren/infra/ports';
import { launch, untilReady } from '@warren/infra/process';
import { io, type Socket } from 'socket.io-client';
import { Heard } from '../targets/heard.ts';
import type { Target, Terminal } from '../terminal.ts';
import { installed } from './packages.ts';
import type { Ssh } from './ssh.ts';

/** Its client tells what it has taken in steps of this many characters. */
const COMMIT_EVERY = 64 * 1024;
const packages = { dependencies: { wetty: '3.2.0' }, overrides: { 'node-pty': 'npm:@lydell/node-pty@1.1.0' } };

/** A terminal in the browser as many have it: WeTTY on the device, reached through `ssh -R`. */
export async function startWetty(ssh: Ssh): Promise<Target & { stop(): Promise<void> }> {
  const folder = await installed('wetty', packages);
  const port = await freePort();
  const main = join(folder, 'node_modules/wetty/build/main.js');
  const options = ['--host', '127.0.0.1', '--port', String(port), '--base', '/', '--log-level', 'error'];
  const spec = {
    name: 'wetty',
    command: process.execPath,
    // Only as root it opens a shell of this machine without asking who one is.
    args: [main, ...options, '--ssh-host', '127.0.0.1', '--command', '/bin/bash --norc --noprofile'],
    log: join(folder, 'log'),
    ready: () => fetch(`http://127.0.0.1:${port}/`),
  };
  const running = launch(spec);
  await untilReady(spec, running);
  const url = `http://127.0.0.1:${await ssh.reverse(port)}`;
  return { name: 'WeTTY over ssh -R', open: () => openTerminal(url), stop: () => running.stop() };
}

async function openTerminal(url: string): Promise<Terminal> {
  const socket = io(url, { path: '/socket.io', transports: ['websocket'], reconnection: false, forceNew: true });
  const heard = new Heard();
  let uncommitted = 0;
  socket.on('data', (text: string) => {
    uncommitted += text.length;
    if (uncommitted >= COMMIT_EVERY) {
      socket.emit('commit', uncommitted);
      uncommitted = 0;
    }
    heard.tell(Buffer.from(text));
  });
  await begun(socket);
  socket.emit('resize', { cols: 80, rows: 24 });
  return {
    write: (text) => socket.emit('input', text),
    onOutput: (listener) => heard.listen(listener),
    close: async () => void socket.disconnect(),
  };
}

function begun(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('login', () => resolve());
    socket.once('connect_error', reject);
  });
}
