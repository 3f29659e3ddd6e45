import type { AgentLink } from '../links/link.ts';
import { RecordedSource, type RecordedSession } from './recorded.source.ts';
import { personMessage, type RelayedSession } from './recording.relay.ts';
import { TerminalReader } from './terminal.reader.ts';

/** A terminal that is recorded, as its opening has set it. */
export interface RecordedTerminalSession extends RecordedSession {
  size: { cols: number; rows: number };
}

const WORDS = {
  waiting: 'Recording is not possible at the moment. Output waits.',
  interrupted: 'Recording is not possible at the moment. Output may be missing in it.',
};

/** One recorded terminal of a device that is linked here. */
export class RecordedTerminal extends RecordedSource<RecordedTerminalSession> {
  readonly kind = 'terminal';
  private readonly undo: () => void;

  constructor(
    session: RecordedTerminalSession,
    readonly link: AgentLink,
    private readonly whenClosed: (terminal: RecordedTerminal, isOver: boolean) => void,
    linkEnded: (terminal: RecordedTerminal) => void,
  ) {
    super(session, WORDS);
    this.undo = link.end.listen(() => linkEnded(this));
  }

  /** Whether this account records it in this mode, over this link. */
  matches({ accountId, mode }: Pick<RecordedSession, 'accountId' | 'mode'>, link: AgentLink): boolean {
    return this.link === link && this.session.mode === mode && this.session.accountId === accountId;
  }

  joined(person: string): void {
    if (this.isFollowed) this.relay?.send(personMessage('joined', person));
  }

  left(person: string): void {
    if (this.isFollowed) this.relay?.send(personMessage('left', person));
  }

  override dispose(): void {
    this.undo();
    super.dispose();
  }

  protected override relayed(): RelayedSession {
    const { startedAt, ...session } = this.session;
    const value = { ...session, startedAt: BigInt(startedAt) };
    return {
      init: { kind: { case: 'terminal', value } },
      read: (offset, sink) =>
        new TerminalReader(this.link, { session: session.session, userId: session.userId, offset }, sink),
    };
  }

  protected override closed(isOver: boolean): void {
    this.whenClosed(this, isOver);
  }
}
