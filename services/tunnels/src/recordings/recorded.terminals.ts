import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { Recording } from '@warren/proto/agent/v1/agent';
import { randomBytes } from 'node:crypto';
import { Lease } from '../broker/lease.ts';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';
import { recordedTerminals } from '../telemetry/metrics.ts';
import { Announcements } from './announcements.ts';
import { RecordedTerminal, type RecordedSession } from './recorded.terminal.ts';

const TICKET_MS = 10_000;
const ANSWER_MS = 5_000;
const MOVED = 'its device was moved to another account';
/** What an agent calls a terminal has to be a part of a key. */
const SESSION = /^[\w-]{1,64}$/;

/** The recorded terminals of the devices that are linked here. */
@Injectable()
export class RecordedTerminals implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger(RecordedTerminals.name);
  private readonly terminals = new Map<string, RecordedTerminal>();
  private readonly tickets = new Map<string, RecordedTerminal>();

  constructor(
    private readonly links: Links,
    private readonly lease: Lease,
    private readonly announcements: Announcements,
  ) {}

  onModuleInit(): void {
    this.links.onAdded((link) => void this.adopt(link));
    this.links.onMoved((link) => this.endForeign(link));
    this.lease.onRenewed(() => void this.renew());
  }

  async beforeApplicationShutdown(): Promise<void> {
    const all = [...this.terminals.values()];
    for (const terminal of all) this.drop(terminal);
    await this.announcements.leave(all.map(({ session }) => session));
  }

  find(deviceId: string, session: string): RecordedTerminal | undefined {
    return this.terminals.get(keyOf(deviceId, session));
  }

  /**
   * Has a terminal recorded from now on.
   * @throws Fault `unavailable` if it can't be announced; Error for an id that is none
   */
  async begin(session: RecordedSession, link: AgentLink): Promise<RecordedTerminal> {
    if (!SESSION.test(session.session)) throw new Error(`expected the id of a terminal, came "${session.session}"`);
    const known = this.find(session.deviceId, session.session);
    if (known && !known.matches(session, link)) this.drop(known);
    const terminal = this.find(session.deviceId, session.session) ?? this.add(session, link);
    await this.announcements.add(session).catch((cause: unknown) => {
      throw new Fault('unavailable', 'The directory does not answer.', { cause });
    });
    return terminal;
  }

  /** Gives up a terminal that was refused, and so has no recording. */
  async forget(terminal: RecordedTerminal): Promise<void> {
    this.drop(terminal);
    await this.announcements.remove(terminal.session);
  }

  /** As TunnelsService.RecordTerminal says. */
  recordTerminal(caller: Caller, of: { deviceId: string; session: string; claim: bigint }): { ticket: string } {
    requireService(caller, 'audit');
    const terminal = this.find(of.deviceId, of.session);
    if (!terminal) throw new Fault('not_found', `terminal ${of.session}.`);
    if (of.claim < terminal.claim) throw new Fault('failed_precondition', 'A later claim has this terminal.');
    terminal.claim = of.claim;
    const ticket = randomBytes(32).toString('base64url');
    this.tickets.set(ticket, terminal);
    setTimeout(() => this.tickets.delete(ticket), TICKET_MS).unref();
    return { ticket };
  }

  /** Takes a ticket. @returns undefined for one that is not valid */
  redeem(ticket: string): RecordedTerminal | undefined {
    const terminal = this.tickets.get(ticket);
    this.tickets.delete(ticket);
    return terminal && this.terminals.get(keyOfTerminal(terminal)) === terminal ? terminal : undefined;
  }

  private add(session: RecordedSession, link: AgentLink): RecordedTerminal {
    const terminal = new RecordedTerminal(
      session,
      link,
      (closed, isOver) => void this.closed(closed, isOver),
      (gone) => this.linkEnded(gone),
    );
    this.terminals.set(keyOfTerminal(terminal), terminal);
    recordedTerminals.set(this.terminals.size);
    return terminal;
  }

  /** Where a recording is required, a terminal does not outlive it: its agent would let the program wait for ever. */
  private async closed(terminal: RecordedTerminal, isOver: boolean): Promise<void> {
    if (!isOver && terminal.session.mode === Recording.REQUIRED) await this.end(terminal, 'its recording is closed');
    await this.forget(terminal);
  }

  /** The former account of a device must not see more of it: the terminals that it records end, also of people who stay. */
  private endForeign(link: AgentLink): void {
    for (const terminal of this.terminals.values())
      if (terminal.link === link && terminal.session.accountId !== link.accountId) void this.end(terminal, MOVED);
  }

  private async end({ link, session: { userId, session, deviceId } }: RecordedTerminal, why: string): Promise<void> {
    const request = { userId, session, why };
    await link.agent.endTerminals(request, { timeoutMs: ANSWER_MS, signal: link.gone }).catch((error: unknown) => {
      this.log.warn({ device: deviceId, terminal: session, err: error }, 'A terminal could not be ended.');
    });
  }

  private linkEnded(terminal: RecordedTerminal): void {
    if (this.terminals.get(keyOfTerminal(terminal)) !== terminal) return;
    this.drop(terminal);
    void this.announcements.leave([terminal.session]);
  }

  private drop(terminal: RecordedTerminal): void {
    const key = keyOfTerminal(terminal);
    if (this.terminals.get(key) === terminal) this.terminals.delete(key);
    recordedTerminals.set(this.terminals.size);
    terminal.dispose();
  }

  /** Continues the recordings of a device that has linked, also of terminals that nobody is attached to. */
  private async adopt(link: AgentLink): Promise<void> {
    try {
      for (const session of await this.announcements.of(link.deviceId)) {
        const known = this.find(session.deviceId, session.session);
        if (known && known.link === link) continue;
        if (known) this.drop(known);
        if (link.alive) await this.begin(session, link);
      }
    } catch (error) {
      this.log.warn({ device: link.deviceId, err: error }, 'Recordings of a device could not be continued.');
    }
    this.endForeign(link);
  }

  private async renew(): Promise<void> {
    if (this.terminals.size === 0) return;
    const sessions = [...this.terminals.values()].map(({ session }) => session);
    await this.announcements.renew(sessions).catch(() => this.log.warn('Recordings could not be announced.'));
  }
}

const keyOf = (deviceId: string, session: string) => `${deviceId}/${session}`;
const keyOfTerminal = ({ session }: RecordedTerminal) => keyOf(session.deviceId, session.session);
