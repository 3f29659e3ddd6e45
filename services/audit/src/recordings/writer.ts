import { Fault } from '@warren/platform/errors/fault';
import type { RecordedEvent, Size } from '@warren/rules/recordings/frames';
import type { RecordingKind, RecordingPolicy } from '@warren/rules/recordings/settings';

export type { RecordedEvent, RecordingKind };

/** A session to record. */
export interface RecordedSession {
  accountId: string;
  deviceId: string;
  /** As it is at the start. */
  deviceName: string;
  /** The agent's id of the terminal, or that of tunnels of a desktop. */
  terminal: string;
  kind: RecordingKind;
  /** The owner of the session. */
  userId: string;
  userEmail: string;
  startedAt: Date;
  policy: Exclude<RecordingPolicy, 'off'>;
  /** Of a terminal. */
  size?: Size;
}

/** The events of a session from the byte `from` up to the byte before `to`. */
export interface Appended {
  from: number;
  to: number;
  /** At most `RECORDING_LIMITS.chunkBytes` as encoded. Offsets add up: see `offsetAfter`. */
  events: readonly RecordedEvent[];
}

/** How a session ended: the exit code of its program, or why it ended without one. */
export type SessionEnd = { exit: number } | { reason: string };

/** A claimed recording. */
export interface OpenRecording {
  id: string;
  /** Offset of the first byte that is not stored yet. */
  next: number;
}

/**
 * Another writer has claimed the recording since, or it is closed or deleted: what this writer has not stored yet is not its to store.
 */
export class ClaimLost extends Error {
  constructor(id: string) {
    super(`recording ${id} is no longer claimed by this writer`);
    this.name = 'ClaimLost';
  }
}

/** The recording of the session is closed; it stays as it is. */
export class RecordingOver extends Fault {
  constructor(id: string) {
    super('failed_precondition', `recording ${id} is closed.`);
  }
}

/** Stores recordings. Every method rejects with an Error if the store or the database doesn't answer; it may be called again then. */
export abstract class RecordingWriter {
  /**
   * Claims the recording of a session, and creates it the first time. Writers that had claimed it before fail from then on.
   * @throws RecordingOver for a recording that is closed; Fault `resource_exhausted` if the account's recordings are full
   */
  abstract open(session: RecordedSession): Promise<OpenRecording>;

  /**
   * Stores the next events; they are durable when this resolves. Up to `RECORDING_LIMITS.pending` may wait at once, in the order of their
   * offsets: after one has failed those behind it fail too, and the recording has to be opened again.
   * @throws ClaimLost; Fault `resource_exhausted` if the account's recordings are full; RangeError for events that don't fit
   */
  abstract append(id: string, appended: Appended): Promise<void>;

  /** Signs and closes a recording, after its pending appends. @throws ClaimLost */
  abstract close(id: string, end: SessionEnd): Promise<void>;

  /** Says that a recording lives on though nothing is to be stored, so that nothing closes it as abandoned. @throws ClaimLost */
  abstract touch(id: string): Promise<void>;

  /** Forgets a recording that another writer is to continue, and leaves it open. */
  abstract release(id: string): void;
}
