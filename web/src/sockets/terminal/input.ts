import type { Emitter } from '../emitter.ts';
import type { TerminalEvents } from './types.ts';
import { Typing } from './typing.ts';

/** Sends input to the terminal: at once, when its window allows, or after a reconnect; and reports what has to wait. */
export class InputFlow {
  /** This screen's name for itself, under which the terminal counts its input. */
  readonly writer = randomName();
  /** Whether a terminal is attached. */
  connected = false;
  private readonly typing = new Typing();
  private reported: TerminalEvents['held'] = { keys: 0, full: false };

  constructor(
    private readonly events: Emitter<TerminalEvents>,
    private readonly send: (bytes: Uint8Array) => void,
  ) {}

  /** Returns the offset after the bytes; null when they have to wait, were refused, or are not counted. */
  type(bytes: Uint8Array): number | null {
    this.typing.type(bytes, !this.connected);
    this.flush();
    return this.connected ? this.typing.position : null;
  }

  /** Sends what the window allows. */
  flush(): void {
    if (this.connected) for (const piece of this.typing.due()) this.send(piece);
    this.tell();
  }

  /** The terminal has accepted so many bytes; null when the message lacks the count. */
  accepted(typed: number | null): void {
    if (typed === null || !this.connected) return;
    this.typing.accept(typed);
    this.events.emit('accepted', { typed });
    this.flush();
  }

  /** Attaches to the same terminal again. @param typed the bytes that it has accepted; null when it does not count */
  resume(typed: number | null): void {
    const bytes = this.typing.resume(typed);
    if (bytes > 0) this.events.emit('unsure', { bytes });
  }

  /** @param keep whether earlier input was meant for this terminal */
  begin(typed: number | null, keep: boolean): void {
    this.typing.restart(typed, keep);
  }

  /** Drops unsent input. */
  discard(): void {
    this.typing.discard();
    this.tell();
  }

  /** Drops everything. */
  clear(): void {
    this.typing.clear();
    this.tell();
  }

  private tell(): void {
    const keys = this.connected ? 0 : this.typing.keys;
    const { full } = this.typing;
    if (keys === this.reported.keys && full === this.reported.full) return;
    this.reported = { keys, full };
    this.events.emit('held', this.reported);
  }
}

/** 128 random bits; `crypto.randomUUID` is missing on pages loaded over plain http. */
const randomName = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');
