import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Runs a program to its end.
 * @returns its standard output
 * @throws Error with the last line that it wrote to its standard error
 */
export async function run(program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  try {
    return (await execute(program, args, { ...options, maxBuffer: 64 << 20 })).stdout;
  } catch (cause) {
    const { stderr = '', message } = cause as Error & { stderr?: string };
    throw new Error(`${program} failed: ${stderr.trim().split('\n').at(-1) || message}`, { cause });
  }
}
