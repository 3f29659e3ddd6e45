import type { Size } from '@warren/rules/recordings/frames';
import { readBytes, readJson } from '../../../lib/api/stream.ts';
import type { ChunkPage } from './timeline.ts';

/** A screen as it was. */
export interface Snapshot {
  atMs: number;
  /** Of the first byte of output after it, which chunk `sequence` has. */
  offset: number;
  sequence: number;
  size: Size;
  /** Draws the screen on a terminal that was reset. */
  data: string;
}

/** Where a player reads from. Each method rejects with the error of the hub. */
export interface RecordingSource {
  /** Chunks from a sequence on. */
  index: (from: number) => Promise<ChunkPage>;
  /** The encoded events of a chunk. */
  chunk: (sequence: number) => Promise<Uint8Array>;
  /** The last snapshot at a time or before it; null if there is none. */
  snapshot: (atMs: number) => Promise<Snapshot | null>;
}

/** Reads a recording from the hub, until the signal. */
export function hubSource(id: string, signal: AbortSignal): RecordingSource {
  const base = `/api/recordings/${encodeURIComponent(id)}`;
  return {
    index: (from) => readJson<ChunkPage>(`${base}/chunks?from=${from}`, signal),
    chunk: (sequence) => readBytes(`${base}/chunks/${sequence}`, signal),
    snapshot: async (atMs) => {
      const { snapshot } = await readJson<{ snapshot: Snapshot | null }>(
        `${base}/snapshot?at=${Math.floor(atMs)}`,
        signal,
      );
      return snapshot;
    },
  };
}
