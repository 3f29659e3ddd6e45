import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath, rm, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { readSmall, writeAtomically } from '../system/files.ts';
import { isRunning, markOf } from '../system/processes.ts';

export const statusSchema = z.object({
  pid: z.int().positive(),
  /** Start of that process in clock ticks since boot: distinguishes it from a later one with the same id. */
  started: z.number(),
  /** Counts the changes of that process: of two files, the higher one is current. */
  change: z.int().catch(0),
  state: z.enum(['connecting', 'connected', 'waiting']),
  since: z.iso.datetime(),
  /** The start of this state, in seconds since boot. */
  up: z.number().min(0).optional(),
  /** How long this process was linked before this state began, in seconds. */
  linked: z.number().min(0).optional(),
  /** The reason for a missing link. */
  problem: z.string().optional(),
  /** The hub refuses this device's key, and only a person can change that. */
  refused: z.boolean().optional(),
  /** The dial's current step, and its start. */
  step: z.enum(['name', 'connection', 'proxy', 'TLS', 'upgrade']).optional().catch(undefined),
  step_since: z.iso.datetime().optional(),
  /** The time of the next dial. */
  next_dial: z.iso.datetime().optional(),
});

/** The state of the running agent's link, for `warren-agent status`. */
export type LinkStatus = z.infer<typeof statusSchema>;

/** The agent's report on its link. */
export type StatusChange = Pick<LinkStatus, 'state' | 'problem' | 'refused' | 'next_dial'>;

/** The service's folder below /run, created by systemd. */
const SERVICE_RUNTIME = '/run/warren-agent';

/** A user's folder for files that do not survive a reboot (file-hierarchy(7)). */
function runtimeFolderOf(uid: number): string {
  return uid === 0 ? '/run' : `/run/user/${uid}`;
}

/** The in-memory folder for the status of an agent without a service, if this device has one. */
export function ownRuntimeFolder(): string | undefined {
  const folder = runtimeFolderOf(process.getuid?.() ?? 0);
  return existsSync(folder) ? folder : undefined;
}

/** The status in memory, one for each state folder; it works when the state folder is full or read-only. */
async function runtimeFile(state: string, runtime: string): Promise<string> {
  const path = await realpath(state).catch(() => state);
  return join(runtime, `warren-agent-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.json`);
}

/**
 * Reads the status of the agent on this state folder, or undefined when none runs.
 * @param runtime an additional folder that may hold it
 */
export async function readStatus(folder: string, runtime?: string[]): Promise<LinkStatus | undefined> {
  const places = runtime ?? (await runtimesOf(folder));
  const inMemory = await Promise.all(
    places.map(async (place) => readStatusFile(await runtimeFile(folder, place)).catch(() => undefined)),
  );
  const found = inMemory.find((status) => status !== undefined);
  const stored = await readStatusFile(join(folder, 'status.json')).catch((error: unknown) => {
    if (found) return undefined;
    throw error;
  });
  return found && (stored?.change ?? 0) <= found.change ? found : stored;
}

async function runtimesOf(folder: string): Promise<string[]> {
  const owner = await stat(folder).then(
    ({ uid }) => [runtimeFolderOf(uid)],
    () => [],
  );
  return [SERVICE_RUNTIME, ...owner];
}

async function readStatusFile(path: string): Promise<LinkStatus | undefined> {
  // Root reads it too, in a folder that the agent owns.
  const text = await readSmall(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = statusSchema.safeParse(parseJson(text));
  // A file left by a crash is stale.
  return parsed.success && (await isRunning(parsed.data)) ? parsed.data : undefined;
}

/** How long the process of a status has been linked, in seconds. @param now seconds since boot */
export function linkedSeconds({ state, since, up, linked = 0 }: LinkStatus, now: number): number {
  if (state !== 'connected') return linked;
  // Version 0.1.0 writes only the time of day.
  return linked + Math.max(0, up === undefined ? (Date.now() - Date.parse(since)) / 1000 : now - up);
}

/** `warren-agent status` is open to anyone with access to the folder. */
const READABLE = 0o644;
/** Most dials finish sooner; only a longer step is written to the file. */
const STEP_MS = 300;

/** Writes the status of this process to its state folder, which former versions read, and to memory. */
export class StatusFile {
  private readonly stored: StatusWriter;
  private readonly inMemory: StatusWriter | undefined;
  private now: Omit<LinkStatus, 'pid' | 'started'> | undefined;
  private change = 0;
  private late: NodeJS.Timeout | undefined;
  private linked = 0;
  private linkedSince: number | undefined;

  /**
   * @param runtime the in-memory folder, if there is one
   * @param onError called when a file can't be written; the link does not depend on it
   */
  constructor(folder: string, runtime: string | undefined, onError: (error: unknown) => void) {
    this.stored = new StatusWriter(Promise.resolve(join(folder, 'status.json')), onError);
    if (runtime !== undefined) this.inMemory = new StatusWriter(runtimeFile(folder, runtime), onError);
  }

  /** Stores the state of the link. */
  set(status: StatusChange): void {
    const up = uptime();
    if (this.linkedSince !== undefined) this.linked += up - this.linkedSince;
    this.linkedSince = status.state === 'connected' ? up : undefined;
    const times = { since: new Date().toISOString(), up, linked: this.linked };
    this.now = { ...status, ...times, change: ++this.change };
    this.store();
  }

  /** Stores the dial's current step, unless it finishes soon. */
  step(step: LinkStatus['step']): void {
    if (this.now?.state !== 'connecting') return;
    this.now = { ...this.now, step, step_since: new Date().toISOString(), change: ++this.change };
    this.late ??= setTimeout(() => this.store(), STEP_MS).unref();
  }

  /** Settles when every change so far is stored, and deletes the status in memory. */
  async close(): Promise<void> {
    clearTimeout(this.late);
    await Promise.all([this.stored.last, this.inMemory?.remove()]);
  }

  private store(): void {
    clearTimeout(this.late);
    this.late = undefined;
    if (!this.now) return;
    this.stored.write(this.now);
    this.inMemory?.write(this.now);
  }
}

/** Writes one file in the order of the changes: a hanging disk does not block the other file. */
class StatusWriter {
  last: Promise<void> = Promise.resolve();
  private readonly path: Promise<string>;
  private readonly onError: (error: unknown) => void;

  constructor(path: Promise<string>, onError: (error: unknown) => void) {
    this.path = path;
    this.onError = onError;
  }

  write(status: Omit<LinkStatus, 'pid' | 'started'>): void {
    this.last = this.last
      .then(async () => {
        const started = (await markOf(process.pid))?.started ?? 0;
        const text = `${JSON.stringify({ pid: process.pid, started, ...status })}\n`;
        await writeAtomically(await this.path, text, READABLE);
      })
      .catch(this.onError);
  }

  async remove(): Promise<void> {
    await this.last;
    await rm(await this.path, { force: true }).catch(this.onError);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
