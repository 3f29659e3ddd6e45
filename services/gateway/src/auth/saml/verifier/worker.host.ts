import { Fault } from '@warren/platform/errors/fault';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { FairQueue, type QueueLimits } from './fair.queue.ts';
import { SignInRefused } from '../../refusal/sign-in.refused.ts';
import type { HubFacts, Job, JobResult, TaskName, Tasks } from './tasks.ts';

export interface HostLimits extends QueueLimits {
  /** Milliseconds for one message. */
  timeMs: number;
  /** Milliseconds until an idle worker ends. */
  idleMs: number;
}

/** A usual message takes a few milliseconds; one that takes seconds is an attack. */
export const HOST_LIMITS: HostLimits = { perClient: 32, all: 256, timeMs: 5_000, idleMs: 60_000 };
const START_MS = 30_000;
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

interface Waiting {
  job: Job;
  resolve: (output: Tasks[TaskName]['output']) => void;
  reject: (error: Error) => void;
}

/** Verifies untrusted messages in a worker thread, one at a time, round-robin between clients. */
export class WorkerHost {
  private readonly queue: FairQueue<Waiting>;
  private worker: Worker | undefined;
  private ready = false;
  private current: Waiting | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly hub: HubFacts,
    private readonly limits: HostLimits = HOST_LIMITS,
    private readonly file = workerFile(import.meta.url),
  ) {
    this.queue = new FairQueue(limits);
  }

  /**
   * Runs a task.
   * @param client key for the fair queue
   * @throws SignInRefused; Fault `resource_exhausted` if too many tasks of the client, or of all clients, are queued
   */
  run<N extends TaskName>(client: string, name: N, input: Tasks[N]['input']): Promise<Tasks[N]['output']> {
    return new Promise<Tasks[TaskName]['output']>((resolve, reject) => {
      const refused = this.queue.add(client, { job: { name, input }, resolve, reject });
      refused?.reject(new Fault('resource_exhausted', 'messages for sign-in wait to be read.'));
      this.next();
    }) as Promise<Tasks[N]['output']>;
  }

  /** Starts the worker ahead of the first message. */
  warm(): void {
    this.next();
    if (!this.worker) this.start();
  }

  async stop(): Promise<void> {
    await this.end();
    for (let one = this.queue.next(); one; one = this.queue.next()) one.reject(stopped());
  }

  private start(): void {
    // It gets no environment, which has secrets; output of XML parsers about untrusted messages is discarded.
    const options = { env: {}, execArgv: [], stdout: true, stderr: true, resourceLimits: MEMORY };
    const worker = new Worker(this.file, { ...options, workerData: this.hub });
    for (const stream of [worker.stdout, worker.stderr]) stream.resume();
    worker.unref();
    this.worker = worker;
    this.ready = false;
    this.arm(START_MS, () => this.fail(new Fault('unavailable', 'reading messages for sign-in did not start.')));
    worker.on('message', (result: JobResult | 'ready') => this.worker === worker && this.heard(result));
    worker.on('error', (error) => this.worker === worker && this.fail(crashed(error)));
    worker.on('exit', (code) => this.worker === worker && this.fail(crashed(new Error(`it ended with ${code}`))));
  }

  private heard(result: JobResult | 'ready'): void {
    if (result === 'ready') this.ready = true;
    else this.settle(result);
    this.next();
  }

  private next(): void {
    if (this.current) return;
    if (!this.worker && this.queue.size > 0) return this.start();
    if (!this.ready) return;
    this.current = this.queue.next();
    if (!this.current) return this.arm(this.limits.idleMs, () => void this.end());
    this.arm(this.limits.timeMs, () => this.fail(tooLong(this.limits.timeMs)));
    this.worker?.postMessage(this.current.job);
  }

  private settle(result: JobResult): void {
    const { current } = this;
    this.current = undefined;
    if (!current) return;
    if ('output' in result) current.resolve(result.output);
    else if ('refused' in result) current.reject(new SignInRefused(result.refused.reason, result.refused));
    else current.reject(new Error(result.error));
  }

  /** Terminates the worker with its task; a new one continues with the queue. */
  private fail(error: Error): void {
    // A worker that fails to start is not restarted in a loop.
    const failed = this.ready ? this.current : this.queue.next();
    this.current = undefined;
    void this.end();
    failed?.reject(error);
    this.next();
  }

  private async end(): Promise<void> {
    clearTimeout(this.timer);
    const { worker, current } = this;
    this.worker = this.current = undefined;
    this.ready = false;
    current?.reject(stopped());
    await worker?.terminate();
  }

  private arm(ms: number, act: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, ms);
    this.timer.unref();
  }
}

/** The worker is beside this file, as source and compiled; in the bundle it is a separate file. */
function workerFile(url: string): string {
  const name = url.endsWith('.mjs') ? 'bundle.saml.worker.mjs' : `saml.worker${extname(url)}`;
  return fileURLToPath(new URL(name, url));
}

function tooLong(ms: number): SignInRefused {
  return new SignInRefused(`the message takes longer than ${ms} ms to read`, { kind: 'unreadable' });
}

function crashed(cause: Error): SignInRefused {
  return new SignInRefused(`the message can't be read: ${cause.message}`, { kind: 'unreadable', cause });
}

function stopped(): Fault {
  return new Fault('unavailable', 'the hub is stopping.');
}
