import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Drawn, ScreenAnswer, ScreenJob } from './screen.jobs.ts';

/** One chunk takes a fraction of a second; the first one loads the code as well. */
const JOB_MS = 30_000;
const IDLE_MS = 120_000;
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

type Asked = ScreenJob extends infer J ? (J extends ScreenJob ? Omit<J, 'id'> : never) : never;

interface Waiting {
  resolve: (drawn: Drawn) => void;
  reject: (error: Error) => void;
}

/** Draws screens in a worker thread: output of devices is untrusted, and takes processor time. */
@Injectable()
export class ScreenHost implements OnApplicationShutdown {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private timer: NodeJS.Timeout | undefined;
  private next = 1;
  /** Screens that were opened in a worker that has ended are gone. */
  generation = 0;

  async onApplicationShutdown(): Promise<void> {
    await this.end(new Error('the process stops'));
  }

  /** @throws Error if the worker can't draw it, or takes too long; all its screens are gone then */
  ask(job: Asked): Promise<Drawn> {
    this.worker ??= this.start();
    const id = this.next++;
    const asked = new Promise<Drawn>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.worker.postMessage({ ...job, id });
    this.arm();
    return asked;
  }

  private start(): Worker {
    const file = workerFile(import.meta.url);
    // It gets no environment, which has secrets.
    const execArgv = file.endsWith('.ts') ? ['--conditions=warren-source'] : [];
    const worker = new Worker(file, { env: {}, execArgv, resourceLimits: MEMORY });
    worker.unref();
    worker.on('message', (answer: ScreenAnswer) => this.worker === worker && this.heard(answer));
    worker.on('error', (error) => this.worker === worker && void this.end(error));
    worker.on('exit', (code) => this.worker === worker && void this.end(new Error(`the worker ended with ${code}`)));
    return worker;
  }

  private heard(answer: ScreenAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if ('drawn' in answer) waiting?.resolve(answer.drawn);
    else waiting?.reject(new Fault('internal', 'the recording can not be drawn.', { cause: new Error(answer.error) }));
    this.arm();
  }

  private arm(): void {
    clearTimeout(this.timer);
    const isBusy = this.waiting.size > 0;
    const over = () => void this.end(new Error(isBusy ? 'drawing a recording took too long' : 'idle'));
    this.timer = setTimeout(over, isBusy ? JOB_MS : IDLE_MS);
    this.timer.unref();
  }

  private async end(reason: Error): Promise<void> {
    clearTimeout(this.timer);
    const { worker } = this;
    this.worker = undefined;
    this.generation++;
    const rejected = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of rejected) one.reject(reason);
    await worker?.terminate();
  }
}

/** The worker is beside this file, as source and compiled; in the bundle it is a separate file. */
function workerFile(url: string): string {
  const name = url.endsWith('.mjs') ? 'bundle.screen.worker.mjs' : `screen.worker${extname(url)}`;
  return fileURLToPath(new URL(name, url));
}
