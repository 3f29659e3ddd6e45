import { spawn } from 'node:child_process';

export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Told to the command on its standard input. */
  input?: string;
  /** The terminal itself, for a program that may ask for a password. */
  terminal?: boolean;
}

const kept = 64 * 1024;

/**
 * Runs a command to its end.
 * @returns what it wrote to its standard output
 * @throws an error with the end of what it wrote to both, when its exit code is not 0
 */
export function command(program: string, args: string[], options: CommandOptions = {}): Promise<string> {
  const ends = options.terminal ? ('inherit' as const) : ('pipe' as const);
  const child = spawn(program, args, { cwd: options.cwd, env: options.env ?? process.env, stdio: [ends, ends, ends] });
  let output = '';
  let all = '';
  child.stdout?.on('data', (data: Buffer) => {
    output += data.toString();
    all = (all + data.toString()).slice(-kept);
  });
  child.stderr?.on('data', (data: Buffer) => (all = (all + data.toString()).slice(-kept)));
  // A program that does not read its input to the end closes it; its exit code says what became of it.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const tail = all.trim().split('\n').slice(-15).join('\n');
      reject(new Error(`${[program, ...args].join(' ')} ended with ${signal ?? `code ${code}`}\n${tail}`));
    });
  });
}
