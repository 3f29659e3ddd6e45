import type { Socket } from 'socket.io';
import { z } from 'zod';

/** Chosen by the browser to recognise late answers of a closed view. */
const view = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const cursor = z.string().max(512);
const unit = z.string().max(255).default('');
const text = z.string().max(200).default('');

/** `watch`: replaces the current view. `after` resumes after that line. */
export const watchMessage = z.object({ view, unit, text, after: cursor.default('') });
export type WatchMessage = z.output<typeof watchMessage>;

/** `older`: requests the page before `before`, which is the `older` of the last page. */
export const olderMessage = z.object({ view, unit, text, before: cursor.min(1) });

/** One line of a journal, bounded, and safe to be shown as text. */
export interface LineJson {
  cursor: string;
  /** ISO 8601. */
  time: string;
  /** 0 (emergency) to 7 (debug). */
  priority: number;
  unit: string;
  identifier: string;
  /** 0: not known. */
  pid: number;
  message: string;
  /** How much of the message is left out. */
  cut: number;
}

export interface PageJson {
  /** Oldest first. */
  lines: LineJson[];
  /** Cursor for older lines; empty if there are none. */
  older: string;
  /** How far back the search went; null if there was nothing to search. */
  reached: string | null;
  /** Why the journal is incomplete; empty if it is complete. */
  notice: string;
}

/** Events from the server to a logs socket. `failed`: the view has ended; `retry`: whether trying again may help. */
interface ServerMessages {
  page: (message: PageJson & { view: number }) => void;
  lines: (message: { view: number; lines: LineJson[] }) => void;
  older: (message: PageJson & { view: number }) => void;
  failed: (message: { view: number; reason: string; retry: boolean }) => void;
  older_failed: (message: { view: number; reason: string }) => void;
  units: (message: { units: string[] }) => void;
  client_disconnect: (message: { reason: string }) => void;
}

/** Events from a browser; their payloads are unknown until a schema has parsed them. */
interface ClientMessages {
  watch: (payload: unknown) => void;
  older: (payload: unknown) => void;
  units: () => void;
}

export type BrowserSocket = Socket<ClientMessages, ServerMessages>;
