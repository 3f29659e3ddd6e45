/** A raw connection to a server on the device's side, by whatever way. */
export interface Pipe {
  /** Resolves when more may be written. */
  write(bytes: Buffer): Promise<void>;
  /** One listener at a time hears all bytes. */
  onData(listener: (bytes: Buffer) => void): void;
  close(): void;
}

/** A way to a server that `raw.server.ts` plays. */
export interface PipeTarget {
  name: string;
  open(): Promise<Pipe>;
}
