import * as pty from '@lydell/node-pty';
import { userInfo } from 'node:os';
import type { Target, Terminal } from '../terminal.ts';

/** A command on a PTY of this process. */
export function spawnTerminal(file: string, args: string[]): Terminal {
  const child = pty.spawn(file, args, {
    cols: 80,
    rows: 24,
    encoding: null,
    env: { ...process.env, TERM: 'xterm-256color' },
  });
  const exited = new Promise<void>((resolve) => child.onExit(() => resolve()));
  return {
    write: (text) => child.write(text),
    onOutput: (listener) => {
      const subscription = child.onData((data) => listener(data as unknown as Uint8Array));
      return () => subscription.dispose();
    },
    close: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** What of an opening is the shell's own: a login shell of this machine's user, which reads that user's profile. */
export const loginShell: Target = {
  name: 'login shell on a local PTY',
  open: async () => spawnTerminal(userInfo().shell ?? '/bin/sh', ['-l']),
};

/** The reference without any network: a shell on a PTY. */
export const localPty: Target = {
  name: 'local PTY',
  open: async () => spawnTerminal('/bin/bash', ['--norc', '--noprofile']),
};
