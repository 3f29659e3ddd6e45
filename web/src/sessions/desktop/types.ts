/** The states of a remote desktop (specification, section 4). */
type DesktopState = 'connecting' | 'connected' | 'disconnecting' | 'disconnected';

/**
 * Why there is no desktop. As the hub says it: `offline` (the device is away), `refused` (no VNC server answers), `timeout`,
 * `not_allowed` (the address that is set is not the device's), `busy`, `unsupported` (an old agent), `gone` (the way broke),
 * `withdrawn` (one may not go on), `invalid`. As it shows here: `security` (the server did not let one in), `locked` (it encrypts
 * in a way that nobody here knows), `insecure` (it asks for what browsers do under https alone), `protocol` (it speaks something else), `ended` (it closed), `hub` (the hub did not answer or refused).
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
  | ViewFailure
  | 'ended'
  | 'hub';

/** Why a picture can't be drawn. */
export type ViewFailure = 'security' | 'locked' | 'insecure' | 'protocol';

/** What the desktop is right now; a new object at each change. */
export interface DesktopStatus {
  state: DesktopState;
  /** Of `disconnected`: false after a failure. */
  clean?: boolean;
  problem?: DesktopProblem;
  /** Why, in the words of the hub or the server, when they said so. */
  reason?: string;
  /** When the next try starts by itself, in ms since epoch; absent when nothing happens without the user. */
  retryAt?: number;
}

/** What VNC servers ask people for. */
export type CredentialKind = 'username' | 'password' | 'target';
export type Credentials = Partial<Record<CredentialKind, string>>;

export interface DesktopEvents {
  status: DesktopStatus;
  /** From here to the device and back, in ms, behind all that is under way. */
  latency: { ms: number };
}

/** A picture of the desktop, drawn from the bytes of one channel. */
export interface DesktopView {
  /** Takes it down; nothing is told of it afterwards. */
  close(): void;
}

/** What a view tells of itself. */
export interface ViewEvents {
  connected(): void;
  /** It can't go on. */
  failed(problem: ViewFailure, reason: string): void;
  /** The server is done, or the user left. */
  ended(): void;
}
