import type { ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { isFast } from './fast.path.ts';

/** Node's handle of the system's connection in a socket. */
interface Handle {
  readStart(): number;
  readStop(): number;
  /** Bytes not yet written to the system. */
  writeQueueSize: number;
}
type Held = { _handle?: Partial<Handle> | null };

/**
 * Whether {@link pauseSession} can pause HTTP/2 on this socket. Otherwise the session needs a separate socket, whose source the public
 * API can pause.
 */
export function canPauseSessionOn(socket: Duplex): boolean {
  const handle = (socket as Held)._handle;
  return handle != null && isFast('link pause', () => isHandle(handle));
}

/** Pauses reading for an HTTP/2 session. Node bypasses the socket's stream there, so only its handle can be paused. */
export function pauseSession(session: ClientHttp2Session): void {
  handleOf(session)?.readStop();
}

/** Resumes reading for an HTTP/2 session. */
export function resumeSession(session: ClientHttp2Session): void {
  const handle = handleOf(session);
  // During a write Node has paused reading itself, and resumes it afterwards.
  if (handle?.writeQueueSize === 0) handle.readStart();
}

function handleOf(session: ClientHttp2Session): Handle | undefined {
  if (session.destroyed) return undefined;
  const handle = (session.socket as unknown as Held | undefined)?._handle;
  return handle && isHandle(handle) ? handle : undefined;
}

function isHandle(handle: Partial<Handle>): handle is Handle {
  const { readStart, readStop, writeQueueSize } = handle;
  return typeof readStart === 'function' && typeof readStop === 'function' && typeof writeQueueSize === 'number';
}
