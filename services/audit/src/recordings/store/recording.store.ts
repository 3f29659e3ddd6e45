import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { storeFailing, storeFreeBytes, storeOperations, storeSeconds, storeTotalBytes } from '../telemetry/metrics.ts';
import { MARKER, storeFault, type Listed, type ObjectStore } from './object.store.ts';
import { claimStore, storeId } from './store.sql.ts';

export const OBJECT_STORE = Symbol('ObjectStore');

const CHECK_MS = 10_000;
const TIMEOUT_MS = 15_000;
/** Bytes that wait for the store in this process. */
const MOST_PENDING = 48 * 1_048_576;
const MARKER_BYTES = 100;

/**
 * The store of recordings, watched. It is used only while it has the marker that the database knows: a folder whose volume is not mounted,
 * or another bucket, is neither written nor cleaned up.
 */
@Injectable()
export class RecordingStore implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RecordingStore.name);
  private readonly rounds = new Rounds({
    of: RecordingStore.name,
    everyMs: CHECK_MS,
    failed: 'The store of recordings could not be checked',
    round: () => this.check(),
  });
  private failure: string | undefined = 'the store of recordings was not checked yet.';
  private pending = 0;

  constructor(
    private readonly source: DataSource,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore | undefined,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.objects) {
      this.failure = 'the operator has to set RECORDINGS_FOLDER or RECORDINGS_BUCKET for the audit service first.';
      return;
    }
    this.rounds.start();
    await this.rounds.now();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** Why nothing can be stored now, for people; undefined if it can. */
  get problem(): string | undefined {
    return this.failure;
  }

  /** Compares the marker of the store with the database, and measures the space. */
  async check(): Promise<void> {
    const { objects } = this;
    if (!objects) return;
    try {
      this.settle(await this.problemOf(objects));
      const space = await objects.space(AbortSignal.timeout(TIMEOUT_MS));
      if (!space) return;
      storeFreeBytes.set(space.free);
      storeTotalBytes.set(space.total);
    } catch (error) {
      this.log.warn({ err: error }, 'The store of recordings does not answer.');
      this.settle(`${objects.what} does not answer.`);
    }
  }

  /** @throws Fault `unavailable`, also while too much waits for a slow store */
  async put(name: string, content: Buffer): Promise<void> {
    const objects = this.ready();
    if (this.pending + content.length > MOST_PENDING) throw storeFault('the store of recordings is too slow.');
    this.pending += content.length;
    try {
      await this.timed('put', (signal) => objects.put(name, content, signal));
    } finally {
      this.pending -= content.length;
    }
  }

  /** @returns undefined if there is no such object @throws Fault `unavailable` */
  get(name: string, limit: number): Promise<Buffer | undefined> {
    const objects = this.ready();
    return this.timed('get', (signal) => objects.get(name, limit, signal));
  }

  remove(names: readonly string[]): Promise<void> {
    const objects = this.ready();
    return this.timed('remove', (signal) => objects.remove(names, signal));
  }

  /** Lists objects, after a check of the marker. @throws Fault `unavailable` */
  async *list(prefix: string): AsyncGenerator<Listed> {
    await this.check();
    const objects = this.ready();
    // A list takes as long as it takes; a page of it that does not come aborts it.
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new Error('the store does not answer')), TIMEOUT_MS);
    };
    try {
      restart();
      for await (const one of objects.list(prefix, controller.signal)) {
        clearTimeout(timer);
        yield one;
        restart();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private ready(): ObjectStore {
    if (this.failure !== undefined || !this.objects) throw storeFault(this.failure ?? 'there is no store.');
    return this.objects;
  }

  private async problemOf(objects: ObjectStore): Promise<string | undefined> {
    const known = await storeId(this.source);
    const marker = await objects.get(MARKER, MARKER_BYTES, AbortSignal.timeout(TIMEOUT_MS));
    const found = marker?.toString('utf8').trim();
    if (known !== undefined && found === known) return undefined;
    if (known !== undefined && found === undefined)
      return `${objects.what} has lost its marker ${MARKER}: its volume may not be mounted.`;
    if (known !== undefined) return `${objects.what} belongs to another hub.`;
    const id = found ?? randomUUID();
    await objects.prepare();
    if (found === undefined) await objects.put(MARKER, Buffer.from(`${id}\n`), AbortSignal.timeout(TIMEOUT_MS));
    // Another process may have been first: the next check compares.
    return (await claimStore(this.source, id)) === id ? undefined : `${objects.what} belongs to another hub.`;
  }

  private async timed<T>(operation: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = storeSeconds.startTimer({ operation });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const result = await settledBy(signal, work(signal));
      storeOperations.inc({ operation, outcome: 'success' });
      return result;
    } catch (error) {
      storeOperations.inc({ operation, outcome: 'failed' });
      if (error instanceof RangeError) throw error;
      this.settle(`${this.objects?.what ?? 'the store'} does not answer.`);
      throw storeFault('the store of recordings does not answer.', error);
    } finally {
      stop();
    }
  }

  private settle(problem: string | undefined): void {
    if (problem !== undefined && this.failure !== problem)
      this.log.error({ problem }, 'The store of recordings fails.');
    if (problem === undefined && this.failure !== undefined) this.log.log('The store of recordings answers.');
    this.failure = problem;
    storeFailing.set(problem === undefined ? 0 : 1);
  }
}

/** Nothing ends a call to a disk that hangs: its caller does not wait for it. */
function settledBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
