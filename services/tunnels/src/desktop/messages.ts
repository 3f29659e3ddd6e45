import type { Socket } from 'socket.io';
import { z } from 'zod';
import type { ConnectProblem } from '../links/connect.ts';
import type { RecordingMessage } from '../recordings/mark.ts';

const MAX_INPUT = 1 << 20;

/**
 * `start_vnc`: connects to the VNC server of the device (specification, section 7; decisions, 'Realtime'). The sids are accepted for
 * clients that were written to the specification; the token says which device it is.
 */
export const startMessage = z.object({ encoding: z.literal('binary').optional() });

/** `vnc_input`: bytes for the VNC server, at most 1 MiB; as text in base64 (RFC 4648, section 4). */
export const inputMessage = z.object({
  data: z.union([
    z.instanceof(Buffer).refine((bytes) => bytes.length <= MAX_INPUT),
    z.base64().transform((text) => Buffer.from(text, 'base64')),
  ]),
});

/**
 * Why there is no desktop. `offline`: the device is not connected. `withdrawn`: the user has lost the right. `unrecorded`: the account
 * requires a recording, and nothing records now.
 */
export type DesktopProblem = ConnectProblem | 'offline' | 'withdrawn' | 'invalid' | 'unrecorded';

/** Events from the server to a desktop socket. */
interface ServerMessages {
  /** The response to `start_vnc`; or, later, that the right was withdrawn. `error` is for people. */
  vnc_status: (message: { success: boolean; code?: DesktopProblem; error?: string }) => void;
  /** Bytes of the VNC server; as text in base64. */
  vnc_stream: (message: { data: string | Uint8Array }) => void;
  /**
   * `ended`: the VNC server closed. `lost`: the connection to it broke. `moved`: this replica stops; reconnect at once. `unrecorded`: the
   * account requires a recording, and it was closed.
   */
  client_disconnect: (message: { reason: string; code: 'ended' | 'lost' | 'moved' | 'unrecorded' }) => void;
  /** Only of a desktop whose account records desktops: after `vnc_status`, and at each change. */
  recording: (message: RecordingMessage) => void;
}

/** Events from a browser; their payloads are unknown until a schema has parsed them. */
interface ClientMessages {
  start_vnc: (payload: unknown) => void;
  vnc_input: (payload: unknown) => void;
  /** Keyboard or pointer input, reported now and then: the session is not idle. */
  used: () => void;
  /** Answered after a PING to the device, so that the browser measures the whole path. */
  probe: (answer: unknown) => void;
}

export type BrowserSocket = Socket<ClientMessages, ServerMessages>;
