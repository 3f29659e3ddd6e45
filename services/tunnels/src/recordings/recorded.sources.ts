import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { randomBytes } from 'node:crypto';
import { Lease } from '../broker/lease.ts';
import { recordedSessions } from '../telemetry/metrics.ts';
import { Announcements } from './announcements.ts';
import type { RecordedSource } from './recorded.source.ts';

const TICKET_MS = 10_000;

/** All recorded sessions of the devices that are linked here: recorders get them one by one, with a ticket. */
@Injectable()
export class RecordedSources implements OnModuleInit {
  private readonly log = new Logger(RecordedSources.name);
  private readonly sources = new Map<string, RecordedSource>();
  private readonly tickets = new Map<string, { source: RecordedSource; claim: bigint }>();

  constructor(
    private readonly lease: Lease,
    private readonly announcements: Announcements,
  ) {}

  onModuleInit(): void {
    this.lease.onRenewed(() => void this.renew());
  }

  find(deviceId: string, session: string): RecordedSource | undefined {
    return this.sources.get(keyOf({ deviceId, session }));
  }

  has(source: RecordedSource): boolean {
    return this.sources.get(keyOf(source.session)) === source;
  }

  put(source: RecordedSource): void {
    this.sources.set(keyOf(source.session), source);
    recordedSessions.inc({ kind: source.kind });
  }

  /** Forgets a session, which is not announced again. */
  drop(source: RecordedSource): void {
    if (this.has(source)) {
      this.sources.delete(keyOf(source.session));
      recordedSessions.dec({ kind: source.kind });
    }
    source.dispose();
  }

  /** As TunnelsService.RecordTerminal says. */
  recordTerminal(caller: Caller, of: { deviceId: string; session: string; claim: bigint }): { ticket: string } {
    requireService(caller, 'audit');
    const source = this.find(of.deviceId, of.session);
    if (!source) throw new Fault('not_found', `session ${of.session}.`);
    if (of.claim < source.claim) throw new Fault('failed_precondition', 'A later claim has this session.');
    source.claim = of.claim;
    const ticket = randomBytes(32).toString('base64url');
    this.tickets.set(ticket, { source, claim: of.claim });
    setTimeout(() => this.tickets.delete(ticket), TICKET_MS).unref();
    return { ticket };
  }

  /** Takes a ticket. @returns undefined for one that is not valid, or whose claim is not the latest any more */
  redeem(ticket: string): RecordedSource | undefined {
    const { source, claim } = this.tickets.get(ticket) ?? {};
    this.tickets.delete(ticket);
    return source && source.claim === claim && this.has(source) ? source : undefined;
  }

  private async renew(): Promise<void> {
    if (this.sources.size === 0) return;
    const sessions = [...this.sources.values()].map(({ session }) => session);
    await this.announcements.renew(sessions).catch(() => this.log.warn('Recordings could not be announced.'));
  }
}

const keyOf = ({ deviceId, session }: { deviceId: string; session: string }) => `${deviceId}/${session}`;
