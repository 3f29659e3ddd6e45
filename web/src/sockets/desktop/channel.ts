/** Sends a message to the hub. */
export interface ChannelWire {
  send(bytes: Uint8Array<ArrayBuffer>): void;
  /** The view has closed the channel. */
  closed(): void;
}

type Listener = ((event: { data?: unknown; code?: number; reason?: string }) => void) | null;

/** The bytes of one VNC connection, in the shape of a WebSocket, which noVNC expects. */
export class DesktopChannel {
  binaryType = 'arraybuffer';
  protocol = '';
  readyState: string = 'open';
  onopen: Listener = null;
  onmessage: Listener = null;
  onclose: Listener = null;
  onerror: Listener = null;
  private readonly wire: ChannelWire;

  constructor(wire: ChannelWire) {
    this.wire = wire;
  }

  /** The owner may overwrite the bytes at once, so they are copied. */
  send(bytes: Uint8Array): void {
    if (this.readyState === 'open') this.wire.send(new Uint8Array(bytes));
  }

  close(): void {
    if (this.readyState !== 'open') return;
    this.readyState = 'closing';
    this.wire.closed();
    queueMicrotask(() => this.end());
  }

  /** Bytes from the server. */
  receive(data: ArrayBuffer | Uint8Array): void {
    if (this.readyState === 'open' && data.byteLength > 0) this.onmessage?.({ data });
  }

  /** The server's bytes have ended. */
  end(): void {
    if (this.readyState === 'closed') return;
    this.readyState = 'closed';
    this.onclose?.({ code: 1000 });
  }
}

/** The bytes of a `vnc_stream` message: binary or base64; null when it carries none. */
export function streamBytes(message: unknown): ArrayBuffer | null {
  const data = typeof message === 'object' && message !== null ? (message as { data?: unknown }).data : undefined;
  if (typeof data === 'string') return fromBase64(data);
  if (ArrayBuffer.isView(data))
    return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength).slice().buffer;
  // By its tag, because a buffer of another realm is no instance of this one's ArrayBuffer.
  return Object.prototype.toString.call(data) === '[object ArrayBuffer]' ? (data as ArrayBuffer) : null;
}

function fromBase64(text: string): ArrayBuffer | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer;
  } catch {
    return null;
  }
}
