import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../../..');
const READY_MS = 60_000;

/** A service as a process beside the tests. */
export class ServiceProcess {
  child: ChildProcess | undefined;
  private readonly service: string;
  private readonly preload: string;

  /** @param preload program that kills the process at a step, `FAULT` of its environment */
  constructor(service: string, preload: string) {
    this.service = service;
    this.preload = preload;
  }

  /** Compiles it: what runs is what is written here, not what was built some time ago. @throws Error if that fails */
  build(): void {
    const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const built = spawnSync(process.execPath, [tsc, '-b', `services/${this.service}`], { cwd: ROOT, stdio: 'inherit' });
    if (built.status !== 0) throw new Error(`services/${this.service}: it could not be compiled`);
  }

  /** Starts it, and waits until it serves. @param env with its OPS_PORT */
  async start(env: NodeJS.ProcessEnv): Promise<void> {
    const preload = 'FAULT' in env ? ['--disable-warning=ExperimentalWarning', '--import', this.preload] : [];
    const main = join(ROOT, 'services', this.service, 'dist/main.js');
    this.child = spawn(process.execPath, [...preload, main], { env, stdio: 'inherit' });
    await until(async () => (await fetch(`http://127.0.0.1:${env['OPS_PORT']}/readyz`)).ok, READY_MS);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const ended = this.ended();
    this.child?.kill(signal);
    await ended;
  }

  /** Waits for its end. @returns the signal that ended it */
  async ended(): Promise<string | null> {
    const { child } = this;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.signalCode;
  }
}
