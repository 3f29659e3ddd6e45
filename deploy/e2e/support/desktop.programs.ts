import { findProgram } from '@warren/infra/programs';
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** The programs of a desktop, and the folder that they share. */
export class DesktopPrograms {
  private readonly running: ChildProcess[] = [];

  constructor(readonly folder: string) {}

  /** @throws for one that is not installed */
  start(program: string, args: string[], options: Pick<SpawnOptions, 'env' | 'uid' | 'gid'>): ChildProcess {
    const path = isAbsolute(program) ? program : findProgram(program);
    if (!path) throw new Error(`${program} is not installed; see make programs.`);
    const child = spawn(path, args, { cwd: this.folder, stdio: 'ignore', ...options });
    this.running.push(child);
    return child;
  }

  /** A file that a command on the device has written; '' as long as there is none. */
  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8').catch(() => '');
  }

  /** Ends all of them, the newest first, and removes the folder. */
  async stop(): Promise<void> {
    for (const child of this.running.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
