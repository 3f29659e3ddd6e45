import { Logger } from '@nestjs/common';
import { Recording } from '@warren/proto/agent/v1/agent';
import type { RecordedTerminal } from '../recordings/recorded.terminal.ts';
import type { RecordedTerminals } from '../recordings/recorded.terminals.ts';
import type { Grant } from '../sockets/grant.ts';
import type { AttachmentRole, Opened } from './attachment.options.ts';
import type { Ending } from './ending.ts';
import type { Membership } from './membership.ts';
import type { Register } from './messages.ts';
import type { BrowserSocket } from './socket.sink.ts';
import type { AgentLink } from '../links/link.ts';

/** A new terminal is refused if no recorder reads it by then. */
const ACCEPT_MS = 5_000;
const REFUSED =
  'This account records every terminal, and recording is not possible at the moment. Try again in a moment.';
/** The first version of the agent whose terminals can be recorded. */
const RECORDING_SINCE = '0.2.0';

/** The terminal that a socket has opened. */
interface OpenedTerminal {
  opened: Opened;
  request: Pick<Register, 'session' | 'cols' | 'rows'>;
  role: AttachmentRole;
  /** Its owner, and who attaches. */
  people: Pick<Membership, 'owner' | 'person'>;
  link: AgentLink;
}

/** A socket's view of the recording of its terminal: whether it may open, and the mark that its browser shows. */
export class SocketRecording {
  private readonly log = new Logger(SocketRecording.name);
  private terminal: RecordedTerminal | undefined;
  private undo: (() => void) | undefined;
  private person = '';

  constructor(
    private readonly socket: BrowserSocket,
    private readonly grant: Grant,
    private readonly recorded: RecordedTerminals,
  ) {}

  /** How a new terminal is recorded. */
  get mode(): Recording {
    return this.grant.recording?.mode ?? Recording.UNSPECIFIED;
  }

  /** Why no new terminal may be opened; undefined if one may. */
  get refusal(): Ending | undefined {
    const problem = this.grant.recording?.problem ?? '';
    if (this.mode !== Recording.REQUIRED || problem === '') return undefined;
    return { kind: 'refused', reason: `${REFUSED} ${problem}`, code: 'unrecorded' };
  }

  /**
   * Has the terminal recorded that the agent has opened.
   * @returns undefined if it needs no recording; else a promise of why the terminal is refused, or of undefined
   */
  opened(terminal: OpenedTerminal): Promise<Ending | undefined> | undefined {
    const { recording } = terminal.opened;
    if (recording === Recording.BEST_EFFORT || recording === Recording.REQUIRED)
      return this.record(terminal, recording);
    // A reader changes nothing about a terminal that is older than the policy.
    if (this.mode === Recording.UNSPECIFIED || terminal.role === 'reader') return undefined;
    return Promise.resolve(this.unsupported());
  }

  /** The socket has left its terminal. */
  leave(): void {
    this.undo?.();
    this.undo = undefined;
    this.terminal?.left(this.person);
    this.terminal = undefined;
  }

  private async record(of: OpenedTerminal, mode: Recording.BEST_EFFORT | Recording.REQUIRED) {
    const mustWait = mode === Recording.REQUIRED && of.request.session === '';
    const terminal = await this.begin(of, mode).catch((error: unknown) => {
      this.log.warn({ device: this.grant.deviceId, err: error }, 'A terminal could not be announced to recorders.');
    });
    if (!terminal || (mustWait && !(await terminal.followedWithin(ACCEPT_MS)))) {
      if (!mustWait) return undefined;
      if (terminal) void this.recorded.forget(terminal);
      return { kind: 'refused', reason: REFUSED, code: 'unrecorded' } as const;
    }
    this.show(terminal, of.people.person.email);
    return undefined;
  }

  private begin(
    { opened, people, link, request: { cols, rows } }: OpenedTerminal,
    mode: Recording.BEST_EFFORT | Recording.REQUIRED,
  ) {
    const { deviceId, deviceAccountId: accountId, deviceName } = this.grant;
    const known = this.recorded.find(deviceId, opened.session);
    if (known?.matches({ accountId, mode }, link)) return Promise.resolve(known);
    const { userId, email: userEmail } = people.owner;
    const { session, size = { cols, rows } } = opened;
    const startedAt = known?.session.startedAt ?? Date.now();
    const of = { accountId, deviceId, deviceName, session, userId, userEmail, startedAt, mode, size };
    return this.recorded.begin(of, link);
  }

  private show(terminal: RecordedTerminal, person: string): void {
    if (!this.socket.connected) return;
    this.terminal = terminal;
    this.person = person;
    terminal.joined(person);
    this.undo = terminal.watch((mark) => this.socket.emit('recording', mark));
    // After the status, which follows at once.
    setImmediate(() => this.terminal && this.socket.emit('recording', terminal.mark));
  }

  private unsupported(): Ending | undefined {
    const { deviceName } = this.grant;
    if (this.mode === Recording.REQUIRED) {
      const reason = `This account records every terminal. The agent of ${deviceName} can't be recorded: update it to ${RECORDING_SINCE} or later.`;
      return { kind: 'refused', reason, code: 'outdated' };
    }
    const reason = `This terminal cannot be recorded: the agent of ${deviceName} is older than ${RECORDING_SINCE}.`;
    const mark = { recorded: false, mode: 'best_effort', since: Date.now(), state: 'unsupported', reason } as const;
    setImmediate(() => this.socket.emit('recording', mark));
    return undefined;
  }
}
