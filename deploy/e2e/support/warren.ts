import { until } from '@warren/infra/until';
import type { SpanJson } from '../stack/spans.ts';
import type { Facts, ProcessName } from '../stack/facts.ts';

/** The copy under test: where it is, and a hand on its processes. */
export class Warren {
  readonly facts: Facts;
  private readonly control: string;

  private constructor(control: string, facts: Facts) {
    this.control = control;
    this.facts = facts;
  }

  /** The copy at this control address; without one, that which the run has started, or that `WARREN_E2E` names. */
  static async find(control = process.env['WARREN_E2E']): Promise<Warren> {
    if (!control) throw new Error('WARREN_E2E: expected the control address of a running copy');
    const response = await fetch(new URL('/facts', control));
    return new Warren(control, (await response.json()) as Facts);
  }

  /** An account's id. */
  account(name: string): string {
    const found = this.facts.accounts.find((account) => account.name === name);
    if (!found) throw new Error(`account: there is no '${name}'`);
    return found.id;
  }

  /** The spans of a trace that the services have sent so far. */
  async spans(trace: string): Promise<SpanJson[]> {
    const response = await fetch(new URL(`/spans?trace=${trace}`, this.control));
    return (await response.json()) as SpanJson[];
  }

  /** Process ids by name; 0 for one that is down. */
  async pids(): Promise<Record<ProcessName, number>> {
    const response = await fetch(new URL('/pids', this.control));
    return (await response.json()) as Record<ProcessName, number>;
  }

  /** Ends a process with SIGKILL and waits until it is gone; its supervisor starts it again. */
  kill(name: ProcessName): Promise<void> {
    return this.ask(`/kill/${name}`);
  }

  /** Ends a process with SIGKILL and keeps it down until `start`. */
  hold(name: ProcessName): Promise<void> {
    return this.ask(`/hold/${name}`);
  }

  /** Starts whatever is still held down. */
  restore(): Promise<void> {
    return this.ask('/restore');
  }

  start(name: ProcessName): Promise<void> {
    return this.ask(`/start/${name}`);
  }

  /** Has a process end in good order; waits until its supervisor has started it again and it serves. */
  async restart(name: ProcessName): Promise<void> {
    await this.stop(name);
    await this.ready(name);
  }

  /** Has a process end in good order, and waits until it has; its supervisor starts it again. */
  async stop(name: ProcessName): Promise<void> {
    const pid = (await this.pids())[name];
    process.kill(pid, 'SIGTERM');
    await until(async () => (await this.pids())[name] !== pid, 30_000);
  }

  /** Waits until a process serves. */
  ready(name: ProcessName): Promise<void> {
    return this.ask(`/ready/${name}`);
  }

  private async ask(path: string): Promise<void> {
    const response = await fetch(new URL(path, this.control), { method: 'POST' });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  }
}
