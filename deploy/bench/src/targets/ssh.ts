import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile, copyFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@warren/infra/ports';
import type { Target } from '../terminal.ts';
import { spawnTerminal } from './pty.ts';

const run = promisify(execFile);
const SSHD = '/usr/sbin/sshd';

export interface SshTarget extends Target {
  stop(): Promise<void>;
}

/** `ssh` to a private sshd on loopback with keys of its own; undefined when OpenSSH's server is not installed. */
export async function startSsh(): Promise<SshTarget | undefined> {
  if (!existsSync(SSHD)) return undefined;
  const dir = await mkdtemp(join(tmpdir(), 'warren-bench-ssh-'));
  const port = await freePort('127.0.0.1');
  for (const key of ['host', 'user']) await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, key)]);
  await copyFile(join(dir, 'user.pub'), join(dir, 'authorized_keys'));
  await chmod(join(dir, 'authorized_keys'), 0o600);
  await writeFile(join(dir, 'sshd_config'), configuration(dir, port));
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
  const server = spawn(SSHD, ['-D', '-e', '-f', join(dir, 'sshd_config')], { stdio: 'ignore' });
  await untilListening(port, server);
  return {
    name: 'ssh to localhost',
    open: async () => spawnTerminal('ssh', sshArguments(dir, port)),
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function configuration(dir: string, port: number): string {
  return [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${join(dir, 'host')}`,
    `AuthorizedKeysFile ${join(dir, 'authorized_keys')}`,
    `PidFile ${join(dir, 'pid')}`,
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'UsePAM no',
    'PrintMotd no',
  ].join('\n');
}

function sshArguments(dir: string, port: number): string[] {
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'BatchMode=yes'];
  return [
    '-tt',
    '-F',
    'none',
    '-i',
    join(dir, 'user'),
    '-p',
    String(port),
    ...options.flatMap((option) => ['-o', option]),
    `${userInfo().username}@127.0.0.1`,
    'exec /bin/bash --norc --noprofile',
  ];
}

async function untilListening(port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (server.exitCode !== null) throw new Error(`sshd ended with ${server.exitCode} before it listened`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await wait(50);
  }
  throw new Error(`sshd does not listen on port ${port}`);
}
