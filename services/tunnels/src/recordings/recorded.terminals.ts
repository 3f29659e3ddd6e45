import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Recording } from '@warren/proto/agent/v1/agent';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';
import { Announcements } from './announcements.ts';
import { RecordedSources } from './recorded.sources.ts';
import { RecordedTerminal, type RecordedTerminalSession } from './recorded.terminal.ts';

const ANSWER_MS = 5_000;
const MOVED = 'its device was moved to another account';
/** What an agent calls a terminal has to be a part of a key. */
const SESSION = /^[\w-]{1,64}$/;

/** The recorded terminals of the devices that are linked here. */
@Injectable()
export class RecordedTerminals implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger(RecordedTerminals.name);
  private readonly terminals = new Set<RecordedTerminal>();

  constructor(
    private readonly links: Links,
    private readonly sources: RecordedSources,
    private readonly announcements: Announcements,
  ) {}

  onModuleInit(): void {
    this.links.onAdded((link) => void this.adopt(link));
    this.links.onMoved((link) => this.endForeign(link));
  }

  async beforeApplicationShutdown(): Promise<void> {
    const all = [...this.terminals];
    for (const terminal of all) this.drop(terminal);
    await this.announcements.leave(all.map(({ session }) => session));
  }

  find(deviceId: string, session: string): RecordedTerminal | undefined {
    const found = this.sources.find(deviceId, session);
    return found instanceof RecordedTerminal ? found : undefined;
  }

  /**
   * Has a terminal recorded from now on.
   * @throws Fault `unavailable` if it can't be announced; Error for an id that is none
   */
  async begin(session: RecordedTerminalSession, link: AgentLink): Promise<RecordedTerminal> {
    const { deviceId, session: id } = session;
    if (!SESSION.test(id)) throw new Error(`expected the id of a terminal, came "${id}"`);
    const other = this.sources.find(deviceId, id);
    // An agent can't take the place of a desktop.
    if (other && !(other instanceof RecordedTerminal)) throw new Error(`expected the id of a terminal, came "${id}"`);
    if (other && !other.matches(session, link)) this.drop(other);
    const terminal = this.find(deviceId, id) ?? this.add(session, link);
    await this.announcements.addTerminal(session).catch((cause: unknown) => {
      throw new Fault('unavailable', 'The directory does not answer.', { cause });
    });
    return terminal;
  }

  /** Gives up a terminal that was refused, and so has no recording. */
  async forget(terminal: RecordedTerminal): Promise<void> {
    this.drop(terminal);
    await this.announcements.removeTerminal(terminal.session);
  }

  private add(session: RecordedTerminalSession, link: AgentLink): RecordedTerminal {
    const terminal = new RecordedTerminal(
      session,
      link,
      (closed, isOver) => void this.closed(closed, isOver),
      (gone) => this.linkEnded(gone),
    );
    this.terminals.add(terminal);
    this.sources.put(terminal);
    return terminal;
  }

  /** Where a recording is required, a terminal does not outlive it: its agent would let the program wait for ever. */
  private async closed(terminal: RecordedTerminal, isOver: boolean): Promise<void> {
    if (!isOver && terminal.session.mode === Recording.REQUIRED) await this.end(terminal, 'its recording is closed');
    await this.forget(terminal);
  }

  /** The former account of a device must not see more of it: the terminals that it records end, also of people who stay. */
  private endForeign(link: AgentLink): void {
    for (const terminal of this.terminals)
      if (terminal.link === link && terminal.session.accountId !== link.accountId) void this.end(terminal, MOVED);
  }

  private async end({ link, session: { userId, session, deviceId } }: RecordedTerminal, why: string): Promise<void> {
    const request = { userId, session, why };
    await link.agent.endTerminals(request, { timeoutMs: ANSWER_MS, signal: link.gone }).catch((error: unknown) => {
      this.log.warn({ device: deviceId, terminal: session, err: error }, 'A terminal could not be ended.');
    });
  }

  private linkEnded(terminal: RecordedTerminal): void {
    if (!this.terminals.has(terminal)) return;
    this.drop(terminal);
    void this.announcements.leave([terminal.session]);
  }

  private drop(terminal: RecordedTerminal): void {
    this.terminals.delete(terminal);
    this.sources.drop(terminal);
  }

  /** Continues the recordings of a device that has linked, also of terminals that nobody is attached to. */
  private async adopt(link: AgentLink): Promise<void> {
    try {
      for (const session of await this.announcements.terminalsOf(link.deviceId)) {
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
}
