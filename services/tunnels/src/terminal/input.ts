import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TerminalInputSchema } from '@warren/proto/agent/v1/agent';

/** An input of a terminal. */
export type InputKind = NonNullable<MessageInitShape<typeof TerminalInputSchema>['kind']>;

/** High-water mark, above which the browser's socket is not read. */
const HIGH_WATER = 256 * 1024;
const LOW_WATER = 64 * 1024;
const MAX_MESSAGE = 32 * 1024;

/** Called when the browser must pause its input, and when it may resume. */
type PressureListener = (pressed: boolean) => void;

/**
 * Queues browser input for the agent in order. Queued keystrokes are merged; of queued credits and sizes only the last counts.
 * Credit overtakes keystrokes, so that a paste never blocks output.
 */
export class InputQueue {
  private readonly waiting: InputKind[] = [];
  private waitingBytes = 0;
  private ack: bigint | undefined;
  private ended = false;
  private pressed = false;

  /** @param onMore called when `next` has something new to return */
  constructor(
    private readonly onPressure: PressureListener,
    private readonly onMore: () => void,
  ) {}

  push(kind: InputKind): void {
    if (this.ended) return;
    if (kind.case === 'ack') this.ack = kind.value as bigint;
    else this.enqueue(kind);
    this.onMore();
  }

  /** Accepts nothing more. */
  end(): void {
    this.ended = true;
  }

  /** The next message for the agent; undefined if there is none. */
  next(): InputKind | undefined {
    if (this.ack !== undefined && this.waiting[0]?.case !== 'open') {
      const value = this.ack;
      this.ack = undefined;
      return { case: 'ack', value };
    }
    const kind = this.waiting.shift();
    if (kind?.case !== 'data') return kind;
    return { case: 'data', value: this.merge(kind.value) };
  }

  private enqueue(kind: InputKind): void {
    const last = this.waiting.at(-1);
    if (kind.case === 'resize' && last?.case === 'resize') this.waiting.pop();
    this.waiting.push(kind);
    if (kind.case !== 'data') return;
    this.waitingBytes += kind.value.length;
    if (!this.pressed && this.waitingBytes > HIGH_WATER) this.press(true);
  }

  private merge(first: Uint8Array): Uint8Array {
    const parts = [first];
    let size = first.length;
    for (let next = this.waiting[0]; next?.case === 'data' && size < MAX_MESSAGE; next = this.waiting[0]) {
      parts.push(next.value);
      size += next.value.length;
      this.waiting.shift();
    }
    this.waitingBytes -= size;
    if (this.pressed && this.waitingBytes < LOW_WATER) this.press(false);
    return parts.length === 1 ? first : Buffer.concat(parts);
  }

  private press(pressed: boolean): void {
    this.pressed = pressed;
    this.onPressure(pressed);
  }
}
