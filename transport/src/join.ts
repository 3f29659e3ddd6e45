import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Carried } from './pump.ts';

/**
 * Copies all bytes between two streams with backpressure. Each side's end is passed on separately; an error of one destroys the other.
 * It keeps little state, where a pipeline each way takes several times as much memory.
 * @param halfClosedMs how long one side may continue after the other has ended
 * @returns about how many bytes went each way, when both are closed; never rejects
 */
export function join(one: Duplex, other: Duplex, halfClosedMs: number): Promise<Carried> {
  return new Promise((resolve) => {
    const pair = new Pair([one, other], halfClosedMs, resolve);
    pair.pass(one, other);
    pair.pass(other, one);
  });
}

class Pair {
  private open = 2;
  private late: NodeJS.Timeout | undefined;

  constructor(
    private readonly ends: readonly [Duplex, Duplex],
    private readonly halfClosedMs: number,
    private readonly closed: (carried: Carried) => void,
  ) {}

  pass(from: Duplex, to: Duplex): void {
    from.on('error', ignore);
    from.on('data', (piece: Buffer) => {
      if (!to.write(piece)) from.pause();
    });
    to.on('drain', () => from.resume());
    from.once('end', () => this.ended(to));
    if (from.closed) return this.gone(from, to);
    from.once('close', () => this.gone(from, to));
  }

  private ended(to: Duplex): void {
    this.late ??= setTimeout(() => this.destroy(), this.halfClosedMs).unref();
    to.end();
  }

  private gone(from: Duplex, to: Duplex): void {
    // After a proper end the rest is in flight; after an error nobody reads the answer.
    if (!from.readableEnded) to.destroy();
    if (--this.open > 0) return;
    clearTimeout(this.late);
    const { bytesRead = 0, bytesWritten = 0 } = this.ends[0] as Partial<Socket>;
    this.closed({ in: bytesRead, out: bytesWritten });
  }

  private destroy(): void {
    for (const end of this.ends) end.destroy();
  }
}

function ignore(): void {
  // A broken connection emits close as well, which is what counts.
}
