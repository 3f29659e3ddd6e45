import type { Grant } from '../sockets/grant.ts';
import type { AuditedSession, RequestedSession, SessionTrail } from '../sockets/session.trail.ts';
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

  constructor(
    private readonly grant: Grant,
    private readonly trail: Pick<SessionTrail, 'request'>,
  ) {}

  /** Stores that the device is about to be asked. @throws Fault `unavailable` if that can't be stored */
  async request(): Promise<void> {
    this.requested = await this.trail.request(this.grant);
  }

  /** Records the start. */
  opened(details: Record<string, unknown>): void {
    this.audited = this.requested?.opened(details);
    this.requested = undefined;
  }

  /** Records the end, and how many bytes were typed. Nothing if it is over, or has not started. */
  end(how: string, { reason, typed }: { reason?: string | undefined; typed?: number | undefined } = {}): void {
    this.audited?.end({ how, reason, ...(typed !== undefined && { typed }) });
    this.audited = undefined;
  }

  /** Records what became of the terminal. */
  over(ending: Ending, { asked, typed }: Pick<Attachment, 'asked' | 'typed'>): void {
    const reason = 'reason' in ending ? deviceWords(ending.reason) : undefined;
    this.end(ending.kind, { reason, typed });
    const isRefused = ending.kind === 'refused' && !OPENED.includes(ending.code);
    if (!asked || isRefused) this.requested?.refused();
    else this.requested?.failed(reason ?? 'The browser left before the device answered.');
    this.requested = undefined;
  }
}
