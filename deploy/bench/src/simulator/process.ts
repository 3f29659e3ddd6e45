import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from './child.ts';
import type { FleetOptions, FleetStats } from './fleet.ts';
import type { FloodOptions } from './flood.ts';

interface Answer {
  id: number;
  answer?: unknown;
  error?: string;
}

/** A fleet in a separate process, so that its costs count neither as the hub's nor as the caller's. */
export class FleetProcess {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private orders = 0;

  private constructor(child: ChildProcess) {
    this.child = child;
    child.on('message', (answer: Answer) => {
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
    child.once('exit', () => {
      for (const [id, done] of this.waiting) done({ id, error: 'the simulator has ended' });
    });
  }

  /** Starts the agents; resolves when the last has begun to dial. */
  static async start(options: FleetOptions): Promise<FleetProcess> {
    const child = fork(join(import.meta.dirname, 'child.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=8192', '--max-semi-space-size=64'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const fleet = new FleetProcess(child);
    await fleet.order({ start: options });
    return fleet;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  stats(): Promise<FleetStats> {
    return this.order({ stats: true }) as Promise<FleetStats>;
  }

  /** How many are linked now. */
  count(): Promise<number> {
    return this.order({ linked: true }) as Promise<number>;
  }

  /** The id of some device that is linked, undefined when none is. */
  pick(): Promise<string | undefined> {
    return this.order({ pick: true }) as Promise<string | undefined>;
  }

  async reset(): Promise<void> {
    await this.order({ reset: true });
  }

  /** Waits until so many agents are linked. @throws Error when they are not after `timeoutMs` */
  async linked(count: number, timeoutMs: number): Promise<FleetStats> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const linked = await this.count();
      if (linked >= count) return this.stats();
      if (performance.now() > deadline) {
        throw new Error(`${linked} of ${count} agents are linked after ${timeoutMs / 1_000} s.`);
      }
      await sleep(100);
    }
  }

  /** Has a terminal of one of its devices print as fast as the hub takes it, to a reader in the same process. */
  async flood(options: FloodOptions): Promise<void> {
    await this.order({ flood: options });
  }

  /** Ends the flood. @returns what its reader got, megabytes a second */
  calm(): Promise<number> {
    return this.order({ calm: true }) as Promise<number>;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const gone = once(this.child, 'exit');
    await this.order({ stop: true }).catch(() => {});
    if (this.child.connected) this.child.disconnect();
    await gone;
  }

  private async order(order: Order): Promise<unknown> {
    const id = ++this.orders;
    const answered = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    this.child.send({ id, order });
    const { answer, error } = await answered;
    if (error !== undefined) throw new Error(error);
    return answer;
  }
}
