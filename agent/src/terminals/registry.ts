import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { OpenPty, Pty, PtySize } from '../system/pty.ts';
import { Recording, TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { TerminalRefused } from '../errors.ts';
import type { AttachAs } from './attaching.ts';
import { encodeNote, newState, type TerminalState } from './kept.ts';
import type { TerminalLimits } from './limits.ts';
import { Terminal, type TerminalAttachment } from './terminal.ts';
import { unpinnable } from './unpinnable.ts';

/** The parts of a new terminal. */
export interface NewTerminal {
  userId: string;
  userEmail: string;
  term: string;
  size: PtySize;
  /** The screen's name for itself. */
  writer?: string;
  /** Whether other writers may join it. */
  role?: 'only' | 'writer';
  record?: Recording;
}

/** An attachment to an existing terminal. */
export interface Attaching extends AttachAs {
  userId: string;
  /** For the log; the owner's if empty. */
  userEmail?: string;
  /** Offset of the next byte that the browser wants. */
  offset: number;
}

/** Selects terminals: of one person or all, one or all. */
export interface TerminalFilter {
  userId?: string;
  id?: string;
  /** People whose terminals are spared. */
  exceptUserIds?: readonly string[];
}

/** A change of a terminal. What is undefined stays as it is. */
export interface TerminalChange {
  userId: string;
  /** Who asks, for the log. */
  userEmail: string;
  name?: string | undefined;
  /** Milliseconds that it is kept without a writer; 0 to unpin it. */
  pin?: number | undefined;
}

interface Entry {
  terminal: Terminal;
  user: string;
  /** Ends the wait for its recorder after its end. */
  retained?: NodeJS.Timeout;
}

/** The terminals of this device. They belong to the agent, not to the link through which they are attached. */
export class TerminalRegistry {
  private terminals = new Map<string, Entry>();
  /** Ended terminals that the recorder has not stored to the end. */
  private unrecorded = new Map<string, Entry>();
  private open: OpenPty;
  readonly limits: TerminalLimits;
  private log: Logger;
  /** The reason for refusing new terminals. */
  private refusal: string | undefined;

  constructor(open: OpenPty, limits: TerminalLimits, log: Logger) {
    this.open = open;
    this.limits = limits;
    this.log = log;
  }

  get size(): number {
    return this.terminals.size;
  }

  /** Terminals with a running program; an ended one may wait for its last output to be seen. */
  get running(): number {
    return [...this.terminals.values()].filter(({ terminal }) => !terminal.exit).length;
  }

  /** Whether terminals outlive the agent, as far as it has any. */
  get keeps(): boolean {
    return [...this.terminals.values()].some(({ terminal }) => terminal.keeper);
  }

  /** Running programs that would end with the agent. */
  get bound(): number {
    return [...this.terminals.values()].filter(({ terminal }) => !terminal.exit && !terminal.keeper).length;
  }

  /**
   * Starts a program on a new terminal and attaches to it.
   * @throws TerminalRefused when there are too many terminals, or the user of this device has no login shell
   */
  create(wanted: NewTerminal): TerminalAttachment {
    if (this.refusal !== undefined) throw new TerminalRefused(this.refusal);
    this.makeRoom();
    const id = randomUUID();
    const { userId, userEmail, term, size } = wanted;
    const state = newState(id, userId, userEmail, size);
    const pty = this.open({ id, userEmail, term, size, note: encodeNote(state) });
    const terminal = this.terminalOf(state, pty);
    const user = userEmail;
    this.terminals.set(id, { terminal, user });
    this.log.info({ terminal: id, user, pid: pty.pid }, 'terminal opened');
    return terminal.attach(0, wanted);
  }

  /** Takes over a terminal that an earlier agent opened; it ends if nobody comes back. */
  adopt(state: TerminalState, pty: Pty): Terminal {
    const { id, userEmail: user } = state;
    const terminal = this.terminalOf(state, pty);
    const entry = { terminal, user };
    this.log.info({ terminal: id, user, pid: pty.pid }, 'terminal kept');
    if (!state.isClosed) {
      this.terminals.set(id, entry);
      this.orphan(id, state.pin?.left);
    } else if (terminal.recorded.unfinished) this.retain(id, entry);
    else terminal.forget();
    return terminal;
  }

  /**
   * Attaches to an existing terminal.
   * @throws TerminalRefused when this user has no such terminal, and as Terminal.attach
   */
  attach(id: string, { userId, userEmail, offset, ...as }: Attaching): TerminalAttachment {
    const entry = this.terminals.get(id) ?? (as.role === 'recorder' ? this.unrecorded.get(id) : undefined);
    // One error for both cases: a terminal's id reveals nothing to other users.
    if (!entry || entry.terminal.userId !== userId)
      throw new TerminalRefused('this terminal has ended', TerminalRefusal.GONE);
    const attachment = entry.terminal.attach(offset, as);
    const user = userEmail || entry.user;
    if (as.role === 'recorder') {
      this.log.info({ terminal: id, offset }, 'terminal recorded');
      return attachment;
    }
    if (as.role === 'reader') {
      this.log.info({ terminal: id, user, offset: attachment.from }, 'terminal followed');
      return attachment;
    }
    this.log.info({ terminal: id, user, offset: attachment.from }, 'terminal attached');
    return attachment;
  }

  /** The terminals, oldest first. */
  list(filter: TerminalFilter): Terminal[] {
    const all = [...this.terminals.values()].map(({ terminal }) => terminal);
    const { id: wantedId, userId: wantedUser, exceptUserIds = [] } = filter;
    return all.filter(
      ({ id, userId }) =>
        (wantedUser ?? userId) === userId && (wantedId ?? id) === id && !exceptUserIds.includes(userId),
    );
  }

  /**
   * Renames or pins a terminal.
   * @throws TerminalRefused when this user has no such terminal, or it can't be pinned
   */
  change(id: string, { userId, userEmail, name, pin }: TerminalChange): Terminal {
    const [terminal] = this.list({ userId, id });
    if (!terminal) throw new TerminalRefused('this terminal has ended', TerminalRefusal.GONE);
    if (pin !== undefined && pin > 0) this.requirePinnable(terminal);
    if (name !== undefined) {
      terminal.name = name;
      terminal.note();
    }
    if (pin !== undefined) terminal.timeout.set(pin);
    this.log.info({ terminal: id, user: userEmail, name, pin }, 'terminal changed');
    return terminal;
  }

  /** Shortens a person's longer pins, in milliseconds; 0 unpins. */
  boundPins(userId: string, longest: number): void {
    for (const { timeout } of this.list({ userId })) timeout.bound(longest);
  }

  /** Unpins all terminals: they end unless somebody comes back in the usual time. */
  unpinAll(): void {
    for (const { terminal } of this.terminals.values()) terminal.timeout.set(0);
  }

  private requirePinnable(terminal: Terminal): void {
    const why = unpinnable(terminal);
    if (why !== '') throw new TerminalRefused(why);
    const pinned = this.list({ userId: terminal.userId }).filter((one) => one !== terminal && one.timeout.pin > 0);
    if (pinned.length < this.limits.pinned) return;
    const reason = `you have ${pinned.length} pinned terminals on this device, which is the most it allows`;
    throw new TerminalRefused(reason, TerminalRefusal.LIMIT);
  }

  /**
   * Ends terminals and their programs.
   * @returns how many there were
   */
  end(filter: TerminalFilter, why: string): number {
    const ending = this.list(filter);
    for (const { id } of ending) this.remove(id, why);
    return ending.length;
  }

  /**
   * Refuses new terminals from now on.
   * @param why shown to the person who opens one
   * @returns a function that lifts it
   */
  refuse(why: string): () => void {
    this.refusal ??= why;
    return () => {
      if (this.refusal === why) this.refusal = undefined;
    };
  }

  /** Ends the terminals that can't outlive the agent, leaves the others to the next one, and refuses new ones. */
  closeAll(): void {
    this.refusal = 'the agent is stopping';
    for (const { terminal } of this.unrecorded.values()) terminal.leave();
    for (const [id, { terminal }] of [...this.terminals]) {
      if (!terminal.leave()) this.remove(id, 'agent is stopping');
    }
  }

  private terminalOf(state: TerminalState, pty: Pty): Terminal {
    const { id } = state;
    return new Terminal(state, pty, this.limits, {
      detached: () => this.orphan(id),
      deserted: () => this.remove(id, 'nobody came back'),
      finished: () => this.remove(id, 'finished'),
      recorded: () => this.forget(id),
    });
  }

  private makeRoom(): void {
    for (const [id, { terminal }] of this.unrecorded) {
      if (this.hasRoom) return;
      if (terminal.recorded.mode !== Recording.REQUIRED) this.forget(id);
    }
    for (const [id, { terminal }] of [...this.terminals]) {
      if (this.hasRoom) return;
      if (terminal.exit && !terminal.attached) this.remove(id, 'made room');
    }
    if (this.hasRoom) return;
    const waiting = this.unrecorded.size > 0 ? ` and ${this.unrecorded.size} whose recording is not stored yet` : '';
    const reason = `this device has ${this.terminals.size} open terminals${waiting}, which is the most it allows`;
    throw new TerminalRefused(reason, TerminalRefusal.LIMIT);
  }

  private get hasRoom(): boolean {
    return this.terminals.size + this.unrecorded.size < this.limits.terminals;
  }

  /** @param left seconds that are left of a pin that has run before */
  private orphan(id: string, left = Infinity): void {
    const entry = this.terminals.get(id);
    if (!entry) return;
    entry.terminal.timeout.begin(left * 1000);
    this.log.info({ terminal: id, user: entry.user }, 'terminal detached');
  }

  private remove(id: string, why: string): void {
    this.forget(id);
    const entry = this.terminals.get(id);
    if (!entry) return;
    this.terminals.delete(id);
    const { terminal } = entry;
    terminal.timeout.stop();
    terminal.end();
    if (terminal.recorded.unfinished) this.retain(id, entry);
    else terminal.forget();
    this.log.info({ terminal: id, user: entry.user, why }, 'terminal ended');
  }

  /** Keeps the last output of a terminal for its recorder. */
  private retain(id: string, entry: Entry): void {
    entry.retained = setTimeout(() => this.forget(id), this.limits.orphan).unref();
    this.unrecorded.set(id, entry);
  }

  private forget(id: string): void {
    const entry = this.unrecorded.get(id);
    if (!entry) return;
    clearTimeout(entry.retained);
    this.unrecorded.delete(id);
    entry.terminal.forget();
  }
}
