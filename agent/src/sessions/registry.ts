import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { OpenPty, PtySize } from '../system/pty.ts';
import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { SessionRefused } from '../errors.ts';
import type { SessionLimits } from './limits.ts';
import { TerminalSession, type TerminalAttachment } from './session.ts';

/** The parts of a new terminal. */
export interface NewTerminal {
  userId: string;
  userEmail: string;
  term: string;
  size: PtySize;
  /** The screen's name for itself. */
  writer?: string;
}

/** Selects terminals: of one person or all, one or all. */
export interface SessionFilter {
  userId?: string;
  id?: string;
  /** People whose terminals are spared. */
  exceptUserIds?: readonly string[];
}

/** The terminals of this device. They belong to the agent, not to the link through which they are attached. */
export class SessionRegistry {
  private sessions = new Map<
    string,
    { session: TerminalSession; user: string; orphaned: NodeJS.Timeout | undefined }
  >();
  private open: OpenPty;
  private limits: SessionLimits;
  private log: Logger;
  /** The reason for refusing new terminals. */
  private refusal: string | undefined;

  constructor(open: OpenPty, limits: SessionLimits, log: Logger) {
    this.open = open;
    this.limits = limits;
    this.log = log;
  }

  get size(): number {
    return this.sessions.size;
  }

  /** Terminals with a running program; an ended one may wait for its last output to be seen. */
  get running(): number {
    return [...this.sessions.values()].filter(({ session }) => !session.exit).length;
  }

  /**
   * Starts a program on a new terminal and attaches to it.
   * @throws SessionRefused when there are too many sessions, or the user of this device has no login shell
   */
  create(terminal: NewTerminal): TerminalAttachment {
    if (this.refusal !== undefined) throw new SessionRefused(this.refusal);
    this.makeRoom();
    const pty = this.open(terminal);
    const id = randomUUID();
    const session = new TerminalSession(id, terminal.userId, pty, this.limits, {
      detached: () => this.orphan(id),
      finished: () => this.remove(id, 'finished'),
    });
    session.size = terminal.size;
    const user = terminal.userEmail;
    this.sessions.set(id, { session, user, orphaned: undefined });
    this.log.info({ session: id, user, pid: pty.pid }, 'terminal opened');
    return session.attach(0, terminal.writer);
  }

  /**
   * Attaches to an existing terminal.
   * @throws SessionRefused when this user has no such terminal, or the offset lies beyond its output
   */
  attach(id: string, userId: string, offset: number, size: PtySize, writer = ''): TerminalAttachment {
    const entry = this.sessions.get(id);
    // One error for both cases: a terminal's id reveals nothing to other users.
    if (!entry || entry.session.userId !== userId)
      throw new SessionRefused('this terminal session has ended', TerminalRefusal.GONE);
    const attachment = entry.session.attach(offset, writer);
    clearTimeout(entry.orphaned);
    entry.orphaned = undefined;
    entry.session.resize(size);
    this.log.info({ session: id, user: entry.user, offset: attachment.from }, 'terminal attached');
    return attachment;
  }

  /** The terminals, oldest first. */
  list(filter: SessionFilter): TerminalSession[] {
    const all = [...this.sessions.values()].map(({ session }) => session);
    const { id: wantedId, userId: wantedUser, exceptUserIds = [] } = filter;
    return all.filter(
      ({ id, userId }) =>
        (wantedUser ?? userId) === userId && (wantedId ?? id) === id && !exceptUserIds.includes(userId),
    );
  }

  /**
   * Ends terminals and their programs.
   * @returns how many there were
   */
  end(filter: SessionFilter, why: string): number {
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

  /** Ends every terminal and refuses new ones. */
  closeAll(): void {
    this.refusal = 'the agent is stopping';
    for (const id of [...this.sessions.keys()]) this.remove(id, 'agent is stopping');
  }

  private makeRoom(): void {
    const entries = [...this.sessions.entries()];
    for (const [id, { session }] of entries) {
      if (this.sessions.size < this.limits.sessions) return;
      if (session.exit && !session.attached) this.remove(id, 'made room');
    }
    if (this.sessions.size >= this.limits.sessions) {
      const reason = `this device has ${this.sessions.size} open terminals, which is the most it allows`;
      throw new SessionRefused(reason, TerminalRefusal.LIMIT);
    }
  }

  private orphan(id: string): void {
    const entry = this.sessions.get(id);
    if (!entry) return;
    clearTimeout(entry.orphaned);
    entry.orphaned = setTimeout(() => this.remove(id, 'nobody came back'), this.limits.orphan);
    // A waiting terminal alone must not keep a stopping agent alive.
    entry.orphaned.unref();
    this.log.info({ session: id, user: entry.user }, 'terminal detached');
  }

  private remove(id: string, why: string): void {
    const entry = this.sessions.get(id);
    if (!entry) return;
    this.sessions.delete(id);
    clearTimeout(entry.orphaned);
    entry.session.close();
    this.log.info({ session: id, user: entry.user, why }, 'terminal ended');
  }
}
