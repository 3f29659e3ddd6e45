import * as pty from '@lydell/node-pty';
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

/** The reference without any network: a shell on a PTY. */
export const localPty: Target = {
  name: 'local PTY',
  open: async () => spawnTerminal('/bin/bash', ['--norc', '--noprofile']),
};
