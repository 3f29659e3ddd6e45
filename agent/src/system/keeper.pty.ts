import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import {
  forgetFrame,
  hangUpFrame,
  inputFrame,
  KEEPER_INPUT,
  KEEPER_PIECE,
  KEEPER_VERSION,
  KeeperReader,
  noteFrame,
  pauseFrame,
  pinFrame,
  seenFrame,
  sizeFrame,
  type KeeperFrame,
  type KeeperState,
} from './keeper.frames.ts';
import type { InputPlace, Keeper, Pin, Pty, PtyExit, PtySize } from './pty.ts';

const SIGKILL = 9;
/** An older helper's answer to a request that it does not know. */
const UNKNOWN = 'this is no request for a terminal';
/** What was seen is passed on in such steps. */
const SEEN_STEP = 64 * 1024;

/** The parts of a kept terminal. */
export interface KeeperPtyParts {
  /** A connection to its keeper. */
  socket: Socket;
  /** Called with its state, before its output. */
  onState?: (state: KeeperState) => void;
  /** Opens one that is not kept, for a helper that keeps none: the agent may be newer for a moment. */
  otherwise?: () => Pty;
  log: Logger;
}

/** A terminal that a keeper holds outside of the agent. */
export class KeeperPty implements Pty, Keeper {
  onData: (bytes: Uint8Array) => void = () => {};
  onWritable: () => void = () => {};
  onExit: (exit: PtyExit) => void = () => {};
  onTyped: (writer: string, count: number) => void = () => {};
  private readonly socket: Socket;
  private readonly parts: KeeperPtyParts;
  private state: KeeperState | undefined;
  private inner: Pty | undefined;
  private isAttached = false;
  private hasLeft = false;
  private exit: PtyExit | undefined;
  /** What is to be said once attached, by type. */
  private readonly early = new Map<string, Buffer>();
  private queue: (InputPlace & { bytes: Uint8Array })[] = [];
  private queued = 0;
  private inFlight = 0;
  private lastSeen = 0;
  private size: PtySize | undefined;

  constructor(parts: KeeperPtyParts) {
    const { socket } = parts;
    this.parts = parts;
    this.socket = socket;
    let problem = 'the service that keeps terminals ended';
    const reader = new KeeperReader((frame) => this.heard(frame));
    socket.on('data', (bytes) => {
      try {
        if (!this.hasLeft) reader.push(bytes);
      } catch (error) {
        problem = `the service that keeps terminals said what is not known: ${(error as Error).message}`;
        socket.destroy();
      }
    });
    socket.on('error', (error) => {
      problem = `the service that opens terminals can't be reached: ${error.message}`;
    });
    socket.on('close', () => this.ended({ code: 1, signal: 0, why: problem }));
  }

  get pid(): number {
    return this.inner?.pid ?? this.state?.pid ?? 0;
  }

  get backlog(): number {
    return this.inner?.backlog ?? this.queued + this.inFlight;
  }

  get keeper(): Keeper | undefined {
    return this.inner ? undefined : this;
  }

  write(bytes: Uint8Array, { writer, offset }: InputPlace): void {
    if (this.inner) return this.inner.write(bytes, { writer, offset });
    for (let at = 0; at < bytes.length; at += KEEPER_PIECE) {
      const piece = bytes.subarray(at, at + KEEPER_PIECE);
      this.queue.push({ writer, offset: offset + at, bytes: piece });
    }
    this.queued += bytes.length;
    this.flush();
  }

  resize(size: PtySize): void {
    if (this.inner) return this.inner.resize(size);
    this.size = size;
    this.say('size', sizeFrame(size));
  }

  pause(): void {
    if (this.inner) return this.inner.pause();
    if (!this.exit) this.say('pause', pauseFrame(true));
  }

  resume(): void {
    if (this.inner) return this.inner.resume();
    this.say('pause', pauseFrame(false));
  }

  hangUp(): void {
    if (this.inner) return this.inner.hangUp();
    if (!this.exit) this.say('hangUp', hangUpFrame());
  }

  seen(offset: number): void {
    if (offset >= this.lastSeen && offset - this.lastSeen < SEEN_STEP) return;
    this.lastSeen = offset;
    this.say('seen', seenFrame(offset));
  }

  note(note: Uint8Array): void {
    this.say('note', noteFrame(note));
  }

  get canPin(): boolean {
    return this.state?.pin !== undefined;
  }

  pin(pin: Pin): void {
    if (this.canPin && !this.exit) this.say('pin', pinFrame(pin));
  }

  forget(): void {
    this.say('forget', forgetFrame());
  }

  leave(): void {
    this.hasLeft = true;
    this.socket.end();
  }

  private say(type: string, frame: Buffer): void {
    if (this.isAttached && !this.hasLeft) this.socket.write(frame);
    else this.early.set(type, frame);
  }

  /** Sends what the keeper has room for: what it says must never wait behind input. */
  private flush(): void {
    let next;
    while (this.isAttached && !this.hasLeft && (next = this.queue[0])) {
      if (this.inFlight + next.bytes.length > KEEPER_INPUT) return;
      this.queue.shift();
      this.queued -= next.bytes.length;
      this.inFlight += next.bytes.length;
      this.socket.write(inputFrame(next.writer, next.offset, next.bytes));
    }
  }

  private heard(frame: KeeperFrame): void {
    switch (frame.kind) {
      case 'hello':
        if (frame.version !== KEEPER_VERSION) throw new Error(`version ${frame.version}`);
        return;
      case 'refused':
        if (frame.why === UNKNOWN && this.parts.otherwise) return this.replace(this.parts.otherwise());
        return this.ended({ code: 1, signal: 0, why: frame.why });
      case 'state':
        return this.attached(frame.state);
      case 'data':
        return this.onData(frame.data);
      case 'typed':
        return this.onTyped(frame.writer, frame.count);
      case 'read':
        this.inFlight -= frame.bytes;
        this.flush();
        return this.onWritable();
      case 'exit': {
        const { code, signal, kills } = frame;
        const starved = signal === SIGKILL && kills > 0;
        return this.ended({ code, signal, ...(starved && { why: 'it was ended for want of memory' }) });
      }
    }
  }

  private attached(state: KeeperState): void {
    this.state = state;
    this.inFlight = state.waiting;
    this.lastSeen = state.seen;
    this.parts.onState?.(state);
    this.isAttached = true;
    for (const frame of this.early.values()) this.socket.write(frame);
    this.early.clear();
    this.flush();
  }

  private replace(inner: Pty): void {
    this.leave();
    this.inner = inner;
    inner.onData = (bytes) => this.onData(bytes);
    inner.onWritable = () => this.onWritable();
    inner.onExit = (exit) => this.onExit(exit);
    if (this.size) inner.resize(this.size);
    for (const { bytes, ...place } of this.queue.splice(0)) {
      inner.write(bytes, place);
      this.onTyped(place.writer, place.offset + bytes.length);
    }
    if (this.early.has('hangUp')) inner.hangUp();
  }

  private ended(exit: PtyExit): void {
    if (this.exit || this.hasLeft) return;
    this.exit = exit;
    const { code, signal, why } = exit;
    if (why !== undefined) this.parts.log.warn({ pid: this.pid, code, signal, why }, 'shell ended');
    this.queue = [];
    this.queued = this.inFlight = 0;
    this.onExit(exit);
  }
}
