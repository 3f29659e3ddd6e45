import type { Grant } from '../sockets/grant.ts';
import type { AuditedSession, RequestedSession, SessionEnding, SessionTrail } from '../sockets/session.trail.ts';
import { deviceWords } from '../sockets/words.ts';
import type { Attachment } from './attachment.ts';
import type { Ending } from './ending.ts';
import type { RefusalCode } from './messages.ts';

/** Refusals of terminals that the device had opened, or may have opened. Of others nothing is recorded. */
const OPENED: readonly RefusalCode[] = ['failed', 'unrecorded', 'outdated'];

/** The terminals of a socket in the audit trail, one after the other. */
export class TerminalTrail {
  private requested: RequestedSession | undefined;
  private audited: AuditedSession | undefined;
  private why: SessionEnding | undefined;

  constructor(
    private readonly grant: Grant,
    private readonly trail: Pick<SessionTrail, 'request'>,
  ) {}

  /**
   * Stores that the device is about to be asked.
   * @param observes whether the owner's consent is not needed
   * @throws Fault `unavailable` if that can't be stored
   */
  async request(observes = false): Promise<void> {
    this.requested = await this.trail.request(this.grant, observes ? 'observe' : 'open');
  }

  /** Records the start. */
  opened(details: Record<string, unknown>): void {
    this.audited = this.requested?.opened(details);
    this.requested = undefined;
  }

  /** Notes why the hub ends the terminal, whose last bytes are still to come. The first reason counts. */
  note(how: string, reason?: string): void {
    this.why ??= { how, reason };
  }

  /** Records what became of the terminal, and what it carried. */
  over(ending: Ending, { asked, traffic }: Pick<Attachment, 'asked' | 'traffic'>): void {
    const reason = 'reason' in ending ? deviceWords(ending.reason) : undefined;
    this.audited?.end(this.why ?? { how: ending.kind, reason }, traffic);
    this.audited = this.why = undefined;
    const isRefused = ending.kind === 'refused' && !OPENED.includes(ending.code);
    if (!asked || isRefused) this.requested?.refused();
    else this.requested?.failed(reason ?? 'The browser left before the device answered.');
    this.requested = undefined;
  }
}
