import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Asks the system to reboot. Rejects with the reason when the system refuses. */
export type Reboot = () => Promise<void>;

const TIMEOUT_MS = 8_000;
const REASON_MAX = 200;

/**
 * Reboots the device with a command, or with the system's own when none is configured.
 * @param command program and arguments
 */
export function rebootBy(command?: string[]): Reboot {
  return () => {
    const [program = '', ...args] = command ?? systemCommand();
    return new Promise((resolve, reject) => {
      execFile(program, args, { timeout: TIMEOUT_MS, encoding: 'utf8' }, (error, _stdout, stderr) => {
        if (error) reject(new Error(reasonOf(program, error, stderr), { cause: error }));
        else resolve();
      });
    });
  };
}

/** systemd stops services in order; without it, shutdown(8) does the system's equivalent. */
function systemCommand(): string[] {
  return existsSync('/run/systemd/system') ? ['systemctl', '--no-ask-password', 'reboot'] : ['shutdown', '-r', 'now'];
}

function reasonOf(program: string, error: { code?: string | number | null; killed?: boolean }, stderr: string): string {
  if (error.code === 'ENOENT') return `this device has no ${program}`;
  if (error.killed) return `${program} did not answer in ${TIMEOUT_MS / 1000} s`;
  const [line = ''] = stderr.trim().split('\n', 1);
  return line.slice(0, REASON_MAX) || `${program} failed (${error.code ?? 'no code'})`;
}
