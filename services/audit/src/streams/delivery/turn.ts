import type { DataSource } from 'typeorm';
import { readEvent } from '../../recording/row.ts';
import type { StoredEvent } from '../../list/list.sql.ts';
import { streamDeliveries, streamEvents, streamGaps } from '../../telemetry/metrics.ts';
import { eventJson } from '../format/event.json.ts';
import type { StreamRow } from '../store/streams.sql.ts';
import { delayAfter } from './backoff.ts';
import { advance, eventsAfter, release, releaseFailed, waitingChains, type Waiting } from './delivery.sql.ts';
import { BATCH_BYTES, type Sender } from './sender.ts';

/** Events of one delivery, and chains of one look. */
const BATCH = 200;
const CHAINS = 100;
/** A stream gives its place up after so long, so that none holds a slot for good. */
const TURN_MS = 30_000;

interface Lease {
  owner: string;
  leaseSeconds: number;
}

interface TurnOptions {
  source: DataSource;
  sender: Pick<Sender, 'events'>;
  lease: Lease;
  /** Whether the process still runs. */
  continues: () => boolean;
}

/** One claimed stream: delivers what waits for it, batch by batch, and keeps after each how far it has come. */
export class Turn {
  private readonly until = performance.now() + TURN_MS;

  constructor(
    private readonly stream: StreamRow,
    private readonly options: TurnOptions,
  ) {}

  /** Delivers until nothing waits, the receiver fails or the turn is over; ends the claim. */
  async run(): Promise<void> {
    const { source, lease } = this.options;
    for (let more = true; more && this.continues;) {
      const chains = await waitingChains(source, this.stream.id, CHAINS);
      more = chains.length > 0;
      for (const chain of chains) if (this.continues && !(await this.deliver(chain))) return;
    }
    await release(source, this.stream.id, lease.owner);
  }

  private get continues(): boolean {
    return this.options.continues() && performance.now() < this.until;
  }

  /** @returns false if the turn is over, and its claim with it */
  private async deliver({ accountId, ...chain }: Waiting): Promise<boolean> {
    const { source, sender, lease } = this.options;
    const position = BigInt(chain.position);
    const events = fitting(await eventsAfter(source, accountId, position, BATCH));
    const [first, last] = [events[0], events.at(-1)];
    // Retention removes from the beginning of a chain: what is missing before the first event is gone.
    const next = first ? BigInt(first.sequence) : BigInt(chain.removed) + 1n;
    const skipped = next > position + 1n ? next - position - 1n : 0n;
    const wanted = events.filter((event) => this.isWanted(event));
    const sent = await sender.events(this.stream, wanted.map(eventJson));
    if (!sent.delivered) {
      streamDeliveries.inc({ outcome: 'failed' });
      const delay = delayAfter(this.stream.failures + 1, sent.retryAfterMs);
      await releaseFailed(source, { id: this.stream.id, owner: lease.owner }, sent.reason, delay);
      return false;
    }
    const to = last ? BigInt(last.sequence) : next - 1n;
    const step = { accountId, position: to, delivered: wanted.length, skipped };
    if (wanted.length > 0) streamDeliveries.inc({ outcome: 'delivered' });
    streamEvents.inc(wanted.length);
    streamGaps.inc(Number(skipped));
    if (wanted.length > 0) this.stream.failures = 0;
    return advance(source, this.stream, lease, step);
  }

  private isWanted({ event }: StoredEvent): boolean {
    const { actions, outcomes } = this.stream;
    if (actions.length === 0 && outcomes.length === 0) return true;
    const { action, outcome } = readEvent(event);
    const named = actions.some((one) => one === action || (one.endsWith('.*') && action.startsWith(one.slice(0, -1))));
    return (actions.length === 0 || named) && (outcomes.length === 0 || outcomes.includes(outcome));
  }
}

/** The first events, as many as fit into one delivery; at least one. */
function fitting(events: readonly StoredEvent[]): StoredEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ event }, at) => (bytes += event.length) > BATCH_BYTES && at > 0);
  return end === -1 ? [...events] : events.slice(0, end);
}
