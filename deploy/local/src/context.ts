import type { Progress } from './progress.ts';
import type { Settings } from './settings.ts';
import { Supervised } from './supervised.ts';
import type { ProcessSpec } from '@warren/infra/process';

/** What the steps of a start share. */
export interface Context {
  settings: Settings;
  progress: Progress;
  /** The environment that every process gets: the person's, without what belongs to this start. */
  environment: NodeJS.ProcessEnv;
  /** The checkout whose services run: this one, or that of another version. */
  root: string;
  processes: Processes;
}

const passed = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'WARREN_REBOOT_COMMAND'];

/** The part of our environment that the processes see. What a person has set for something else, they don't. */
export function plainEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(passed.filter((name) => environment[name]).map((name) => [name, environment[name]]));
}

/** All supervised processes of a start, in the order of their start. */
export class Processes {
  private readonly list: Supervised[][] = [];
  private readonly report: (line: string) => void;

  constructor(report: (line: string) => void) {
    this.report = report;
  }

  /** Starts processes side by side and waits until all serve. If one does not, the error is its own. */
  async start(specs: ProcessSpec[], timeout = 60_000): Promise<void> {
    const group = specs.map((spec) => new Supervised(spec, this.report));
    this.list.push(group);
    const results = await Promise.allSettled(group.map((one) => one.start(timeout)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Stops all: the last started first, those that were started together together. */
  async stop(): Promise<void> {
    for (const group of this.list.splice(0).reverse()) await Promise.all(group.map((one) => one.stop()));
  }

  names(): string[] {
    return this.list.flat().map((one) => one.spec.name);
  }

  /** @throws when there is none of that name */
  find(name: string): Supervised {
    const found = this.list.flat().find((one) => one.spec.name === name);
    if (!found) throw new Error(`process: there is no '${name}', only ${this.names().join(', ')}`);
    return found;
  }
}
