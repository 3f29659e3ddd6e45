import { spawn } from 'node:child_process';

export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Standard input of the command. */
  input?: string;
  /** Uses the terminal, for a program that may prompt for a password. */
  terminal?: boolean;
}

const kept = 64 * 1024;

/**
 * Runs a command and waits for it.
 * @returns its standard output
 * @throws Error with the end of its output if its exit code is not 0
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
  // A program may close its input early; its exit code has the result.
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
