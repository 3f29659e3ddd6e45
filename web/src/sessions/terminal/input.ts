import type { Emitter } from '../emitter.ts';
import type { TerminalEvents } from './types.ts';
import { Typing } from './typing.ts';

/** Takes what is typed to the session: at once, when it has room for it, or when the connection is back; and tells what has to wait. */
export class InputFlow {
  /** This screen's name for itself: the session counts what is typed under it. */
  readonly writer = randomName();
  /** Whether a session can be sent to. */
  connected = false;
  private readonly typing = new Typing();
  private reported: TerminalEvents['held'] = { keys: 0, full: false };

  constructor(
    private readonly events: Emitter<TerminalEvents>,
    private readonly send: (bytes: Uint8Array) => void,
  ) {}

  type(bytes: Uint8Array): void {
    this.typing.type(bytes, !this.connected);
    this.flush();
  }

  /** Sends what may be sent now. */
  flush(): void {
    if (this.connected) for (const piece of this.typing.due()) this.send(piece);
    this.tell();
  }

  /** The session has taken so many bytes; null when the message did not say. */
  accepted(typed: number | null): void {
    if (typed === null || !this.connected) return;
    this.typing.accept(typed);
    this.flush();
  }

  /** The same session again. @param typed what it has taken; null when it does not count */
  resume(typed: number | null): void {
    const bytes = this.typing.resume(typed);
    if (bytes > 0) this.events.emit('unsure', { bytes });
  }

  /** @param keep whether what was typed before was for this session */
  begin(typed: number | null, keep: boolean): void {
    this.typing.restart(typed, keep);
  }

  /** Forgets what has not been sent. */
  discard(): void {
    this.typing.discard();
    this.tell();
  }

  /** Forgets everything. */
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

/** 128 random bits; `crypto.randomUUID` is not there on pages that came by plain http. */
const randomName = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');
