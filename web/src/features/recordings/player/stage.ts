import type { RecordedEvent } from '@warren/rules/recordings/frames';
import type { Snapshot } from './source.ts';

/** What a recording is drawn on. Calls are drawn in their order. */
export interface Stage {
  /** Whether a seek may begin with a snapshot; without, it draws from the first byte. */
  readonly hasSnapshots: boolean;
  /** Begins with a snapshot, or empty, in place of everything. */
  begin: (snapshot: Snapshot | null) => Promise<void>;
  /**
   * Draws an event after those before it. Resolves when the next one may come.
   * @param offset of output before the event
   * @param skip bytes of an output that are drawn already
   */
  draw: (event: RecordedEvent, offset: number, skip: number) => Promise<void>;
  /** Resolves once everything is drawn. */
  finish: () => Promise<void>;
}
