import { launch, untilReady, type ProcessSpec, type Running } from '@warren/infra/process';

const first = 200;
const longest = 10_000;
/** Uptime in milliseconds after which the count of failures resets. */
const healthy = 30_000;

/** Returns the delay before the next start in milliseconds, after `falls` consecutive failures. */
export function pause(falls: number): number {
  return Math.min(first * 2 ** Math.max(0, falls - 1), longest);
}

/** A process that is restarted when it ends, until it is stopped. */
export class Supervised {
  private current: ProcessSpec;
  private readonly report: (line: string) => void;
  private running: Running | undefined;
  private started = 0;
  private falls = 0;
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;

  /** `report` is called when the process ended unexpectedly. */
  constructor(spec: ProcessSpec, report: (line: string) => void) {
    this.current = spec;
    this.report = report;
  }

  get spec(): ProcessSpec {
    return this.current;
  }

  /** 0 while it does not run. */
  get pid(): number {
    return this.running?.pid ?? 0;
  }

  /** Starts it and waits until it is ready. Does not retry a failed first start. @throws Error with the end of the log */
  async start(timeout?: number): Promise<void> {
    this.stopping = false;
    const running = this.launch();
    try {
      await untilReady(this.spec, running, timeout);
    } catch (error) {
      this.running = undefined;
      await running.stop();
      throw error;
    }
    void running.ended.then((how) => this.fell(how));
  }

  /** Waits until it is ready, after it was killed. */
  async ready(timeout = 60_000): Promise<void> {
    const deadline = Date.now() + timeout;
    while (!this.running && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    if (!this.running) throw new Error(`${this.spec.name} did not come back in ${timeout / 1000} s`);
    await untilReady(this.spec, this.running, deadline - Date.now());
  }

  /** Stops it gracefully, without a restart. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    await this.running?.stop();
    this.running = undefined;
  }

  /** Stops it gracefully, and starts another program instead. */
  async replace(spec: ProcessSpec): Promise<void> {
    await this.stop();
    this.current = spec;
    await this.start();
  }

  /** Sends a signal; if the process ends by it, it is started again. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.running?.kill(signal);
  }

  private launch(): Running {
    this.started = Date.now();
    this.running = launch(this.spec);
    return this.running;
  }

  private fell(how: string): void {
    this.running = undefined;
    if (this.stopping) return;
    this.falls = Date.now() - this.started > healthy ? 1 : this.falls + 1;
    const wait = pause(this.falls);
    this.report(`${this.spec.name} ended (${how}); it starts again in ${wait / 1000} s. Its log: ${this.spec.log}`);
    this.timer = setTimeout(() => void this.launch().ended.then((next) => this.fell(next)), wait);
  }
}
