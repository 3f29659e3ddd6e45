import { Injectable, Logger, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventBatches, type Received } from '@warren/platform/events/event.batches';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent } from '@warren/platform/events/event';
import { validate } from 'uuid';
import { EventStore } from './event.store.ts';
import { auditOfFormer } from './former.events.ts';
import { INSTALLATION, rowOf, type EventRow } from './row.ts';

const NOTIFY_MS = 1_000;
const MAX_ACCOUNTS = 500;

/** Stores the audit events of all services, and announces new ones to consoles. */
@Injectable()
export class Recorder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Recorder.name);
  private changed = new Set<string>();
  private notifying: NodeJS.Timeout | undefined;
  private readonly deletions: ((accounts: readonly string[]) => Promise<void>)[] = [];

  constructor(
    private readonly batches: EventBatches,
    private readonly bus: EventBus,
    private readonly store: EventStore,
  ) {}

  /** Has a handler run for deleted accounts, again if it rejects. To be called before the service starts. */
  onDeleted(handler: (accounts: readonly string[]) => Promise<void>): void {
    this.deletions.push(handler);
  }

  onApplicationBootstrap(): void {
    this.batches.start((events) => this.record(events));
  }

  beforeApplicationShutdown(): void {
    clearTimeout(this.notifying);
  }

  /** Accounts that got events; consoles hear of them at most once a second. */
  announce(accounts: readonly string[]): void {
    for (const account of accounts) this.changed.add(account === INSTALLATION ? '' : account);
    if (this.changed.size > 0) this.notifying ??= setTimeout(() => void this.notify(), NOTIFY_MS);
  }

  private async record(events: readonly Received[]): Promise<void> {
    this.announce(await this.store.store(events.flatMap(rowsOf)));
    const deleted = events.flatMap(({ event: { kind } }) =>
      kind.case === 'accountDeleted' ? [kind.value.accountId] : [],
    );
    const known = deleted.filter((id) => validate(id));
    if (known.length > 0) for (const handler of this.deletions) await handler(known);
  }

  private async notify(): Promise<void> {
    this.notifying = undefined;
    const accounts = [...this.changed];
    this.changed.clear();
    try {
      for (let at = 0; at < accounts.length; at += MAX_ACCOUNTS) {
        const accountIds = accounts.slice(at, at + MAX_ACCOUNTS);
        await this.bus.publish(newEvent({ kind: { case: 'auditStored', value: { accountIds } } }));
      }
    } catch (error) {
      this.log.warn({ err: error }, 'Consoles could not be notified of new audit events.');
    }
  }
}

function rowsOf({ event, received }: Received): EventRow[] {
  if (event.kind.case === 'audit') return [rowOf(event, event.kind.value, received)];
  const former = auditOfFormer(event);
  return former ? [rowOf({ ...event, id: former.id }, former.event, received)] : [];
}
