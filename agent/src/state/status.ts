import { join } from 'node:path';
import * as z from 'zod';
import { readSmall, writeAtomically } from '../system/files.ts';
import { isRunning, markOf } from '../system/processes.ts';

const schema = z.object({
  pid: z.int().positive(),
  /** Start of that process in clock ticks since boot: tells it from a later one with the same id. */
  started: z.number(),
  state: z.enum(['connecting', 'connected', 'waiting']),
  since: z.iso.datetime(),
  /** Why there is no link, when there is none. */
  problem: z.string().optional(),
  /** The hub does not take this device's key, and only a person can change that. */
  refused: z.boolean().optional(),
});

/** How the running agent's link is, for `warren-agent status`. */
export type LinkStatus = z.infer<typeof schema>;

/** The status of the agent that runs on this state folder, or undefined when none does. */
export async function readStatus(folder: string): Promise<LinkStatus | undefined> {
  // Root reads it too, in a folder that is the agent's.
  const text = await readSmall(join(folder, 'status.json')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = schema.safeParse(parseJson(text));
  // What a crash left behind says nothing about now.
  return parsed.success && (await isRunning(parsed.data)) ? parsed.data : undefined;
}

/** Writes status changes of this process in their order. */
export class StatusFile {
  #path: string;
  #last: Promise<void> = Promise.resolve();
  #onError: (error: unknown) => void;

  /** @param onError told when the file can't be written; the link does not depend on it */
  constructor(folder: string, onError: (error: unknown) => void) {
    this.#path = join(folder, 'status.json');
    this.#onError = onError;
  }

  set(state: LinkStatus['state'], problem?: string, refused?: boolean): void {
    const since = new Date().toISOString();
    this.#last = this.#last
      .then(() => this.#write({ state, since, problem, refused: refused || undefined }))
      .catch(this.#onError);
  }

  /** Settles when every change so far is on the disk. */
  async flushed(): Promise<void> {
    await this.#last;
  }

  async #write(status: Omit<LinkStatus, 'pid' | 'started'>): Promise<void> {
    const mark = await markOf(process.pid);
    await writeAtomically(
      this.#path,
      `${JSON.stringify({ pid: process.pid, started: mark?.started ?? 0, ...status })}\n`,
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
