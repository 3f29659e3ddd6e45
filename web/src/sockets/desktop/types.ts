import type { SessionRecording } from '../recording.ts';

/** The states of a remote desktop (specification, section 4). */
type DesktopState = 'connecting' | 'connected' | 'disconnecting' | 'disconnected';

/**
 * Why there is no desktop. As the hub says it: `offline` (the device is away), `refused` (no VNC server answers), `timeout`,
 * `not_allowed` (the address that is set is not the device's), `busy`, `unsupported` (an old agent), `gone` (the way broke),
 * `withdrawn` (access was withdrawn), `invalid`, `unrecorded` (it must be recorded, and can't be now). As it shows here: `security` (the server refused the sign-in), `locked` (its encryption
 * is not supported), `insecure` (it needs what browsers offer under https alone), `protocol` (it is no VNC server), `ended` (it closed), `hub` (the hub did not answer or refused).
 */
export type DesktopProblem =
  | 'offline'
  | 'refused'
  | 'timeout'
  | 'not_allowed'
  | 'busy'
  | 'unsupported'
  | 'gone'
  | 'withdrawn'
  | 'invalid'
  | 'unrecorded'
  | ViewFailure
  | 'ended'
  | 'hub';

/** Why drawing has failed. */
export type ViewFailure = 'security' | 'locked' | 'insecure' | 'protocol';

/** The desktop's current state; a new object at each change. */
export interface DesktopStatus {
  state: DesktopState;
  /** Of `disconnected`: false after a failure. */
  clean?: boolean;
  problem?: DesktopProblem;
  /** The reason in the words of the hub or the server, if given. */
  reason?: string;
  /** The time of the next automatic attempt, in ms since epoch; absent when the next step needs the user. */
  retryAt?: number;
}

/** The credentials that VNC servers request. */
export type CredentialKind = 'username' | 'password' | 'target';
export type Credentials = Partial<Record<CredentialKind, string>>;

export interface DesktopEvents {
  status: DesktopStatus;
  /** The round-trip time to the device in ms, behind everything in flight. */
  latency: { ms: number };
  /** Null: it is not recorded, or nothing is known of that. */
  recording: SessionRecording | null;
}

/** A picture of the desktop, drawn from the bytes of one channel. */
export interface DesktopView {
  /** Takes it down; no events follow. */
  close(): void;
}

/** Events of a view. */
export interface ViewEvents {
  connected(): void;
  /** It failed. */
  failed(problem: ViewFailure, reason: string): void;
  /** The server closed it, or the user left. */
  ended(): void;
}
