import type { Progress } from './progress.ts';
import type { Settings } from './settings.ts';
import { Supervised } from './supervised.ts';
import type { ProcessSpec } from '@warren/infra/process';

/** The shared context of the steps of a start. */
export interface Context {
  settings: Settings;
  progress: Progress;
  /** The base environment of processes: the user's, without the variables of this start. */
  environment: NodeJS.ProcessEnv;
  /** The checkout whose services run: this one, or that of another version. */
  root: string;
  processes: Processes;
}

const passed = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'WARREN_REBOOT_COMMAND',
  'RATE_LIMITS',
  'REMOTE_WRITE_URL',
];

/** Returns the environment for processes, without the user's unrelated variables. */
export function plainEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(passed.filter((name) => environment[name]).map((name) => [name, environment[name]]));
}

/** The supervised processes, in starting order. */
export class Processes {
  private readonly list: Supervised[][] = [];
  private readonly report: (line: string) => void;

  constructor(report: (line: string) => void) {
    this.report = report;
  }

  /** Starts processes concurrently, and waits until all are ready. @throws the error of one that fails */
  async start(specs: ProcessSpec[], timeout = 60_000): Promise<void> {
    const group = specs.map((spec) => new Supervised(spec, this.report));
    this.list.push(group);
    const results = await Promise.allSettled(group.map((one) => one.start(timeout)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Stops all in reverse order; those that were started together stop together. */
  async stop(): Promise<void> {
    for (const group of this.list.splice(0).reverse()) await Promise.all(group.map((one) => one.stop()));
  }

  names(): string[] {
    return this.list.flat().map((one) => one.spec.name);
  }

  /** @throws Error for an unknown name */
  find(name: string): Supervised {
    const found = this.list.flat().find((one) => one.spec.name === name);
    if (!found) throw new Error(`process: there is no '${name}', only ${this.names().join(', ')}`);
    return found;
  }
}
