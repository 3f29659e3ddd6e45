import { execFile } from 'node:child_process';

const REASON_MAX = 200;

/**
 * Runs a program of the system to its end.
 * @throws Error with the last line of its output
 */
export function runProgram(program: string, args: string[], timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const [line = ''] = stderr.trim().split('\n').slice(-1);
      const reason = error.killed ? `no answer in ${timeout / 1000} s` : line.slice(0, REASON_MAX) || error.message;
      reject(new Error(`${program}: ${reason}`, { cause: error }));
    });
  });
}
