import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { OpenPty, PtySize } from '../system/pty.ts';
import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { SessionRefused } from '../errors.ts';
import type { SessionLimits } from './limits.ts';
import { TerminalSession, type TerminalAttachment } from './session.ts';

/** What a new terminal is made of. */
export interface NewTerminal {
  userId: string;
  userEmail: string;
  term: string;
  size: PtySize;
  /** The browser's name for itself. */
  writer?: string;
}

/** Which sessions: one person's or everybody's, one of them or all. */
export interface SessionFilter {
  userId?: string;
  id?: string;
  /** People whose sessions are left alone. */
  exceptUserIds?: readonly string[];
}

/** The terminals of this device. They belong to the agent, not to the link through which they are seen. */
export class SessionRegistry {
  #sessions = new Map<string, { session: TerminalSession; user: string; orphaned: NodeJS.Timeout | undefined }>();
  #open: OpenPty;
  #limits: SessionLimits;
  #log: Logger;
  /** Why no new session is opened. */
  #refusal: string | undefined;

  constructor(open: OpenPty, limits: SessionLimits, log: Logger) {
    this.#open = open;
    this.#limits = limits;
    this.#log = log;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Sessions whose program has not ended; one that has may wait for its last output to be seen. */
  get running(): number {
    return [...this.#sessions.values()].filter(({ session }) => !session.exit).length;
  }

  /**
   * Starts a program on a new terminal and attaches to it.
   * @throws SessionRefused when there are too many sessions, or the user of this device has no login shell
   */
  create(terminal: NewTerminal): TerminalAttachment {
    if (this.#refusal !== undefined) throw new SessionRefused(this.#refusal);
    this.#makeRoom();
    const pty = this.#open(terminal);
    const id = randomUUID();
    const session = new TerminalSession(id, terminal.userId, pty, this.#limits, {
      detached: () => this.#orphan(id),
      finished: () => this.#remove(id, 'finished'),
    });
    session.size = terminal.size;
    const user = terminal.userEmail;
    this.#sessions.set(id, { session, user, orphaned: undefined });
    this.#log.info({ session: id, user, pid: pty.pid }, 'terminal opened');
    return session.attach(0, terminal.writer);
  }

  /**
   * Comes back to a session.
   * @throws SessionRefused when there is no such session of this user, or the offset lies beyond its output
   */
  attach(id: string, userId: string, offset: number, size: PtySize, writer = ''): TerminalAttachment {
    const entry = this.#sessions.get(id);
    // One answer for both cases: a session id tells nothing to those whom it does not belong to.
    if (!entry || entry.session.userId !== userId)
      throw new SessionRefused('this terminal session has ended', TerminalRefusal.GONE);
    const attachment = entry.session.attach(offset, writer);
    clearTimeout(entry.orphaned);
    entry.orphaned = undefined;
    entry.session.resize(size);
    this.#log.info({ session: id, user: entry.user, offset: attachment.from }, 'terminal attached');
    return attachment;
  }

  /** The sessions, oldest first. */
  list(filter: SessionFilter): TerminalSession[] {
    const all = [...this.#sessions.values()].map(({ session }) => session);
    const { id: wantedId, userId: wantedUser, exceptUserIds = [] } = filter;
    return all.filter(
      ({ id, userId }) =>
        (wantedUser ?? userId) === userId && (wantedId ?? id) === id && !exceptUserIds.includes(userId),
    );
  }

  /**
   * Ends sessions and what runs in them.
   * @returns how many there were
   */
  end(filter: SessionFilter, why: string): number {
    const ending = this.list(filter);
    for (const { id } of ending) this.#remove(id, why);
    return ending.length;
  }

  /**
   * Opens no new session from now on.
   * @param why shown to who asks for one
   * @returns lifts it
   */
  refuse(why: string): () => void {
    this.#refusal ??= why;
    return () => {
      if (this.#refusal === why) this.#refusal = undefined;
    };
  }

  /** Ends every session and refuses new ones. */
  closeAll(): void {
    this.#refusal = 'the agent is stopping';
    for (const id of [...this.#sessions.keys()]) this.#remove(id, 'agent is stopping');
  }

  #makeRoom(): void {
    const entries = [...this.#sessions.entries()];
    for (const [id, { session }] of entries) {
      if (this.#sessions.size < this.#limits.sessions) return;
      if (session.exit && !session.attached) this.#remove(id, 'made room');
    }
    if (this.#sessions.size >= this.#limits.sessions) {
      const reason = `this device has ${this.#sessions.size} open terminals, which is the most it allows`;
      throw new SessionRefused(reason, TerminalRefusal.LIMIT);
    }
  }

  #orphan(id: string): void {
    const entry = this.#sessions.get(id);
    if (!entry) return;
    clearTimeout(entry.orphaned);
    entry.orphaned = setTimeout(() => this.#remove(id, 'nobody came back'), this.#limits.orphan);
    // A waiting session alone must not keep a stopping agent alive.
    entry.orphaned.unref();
    this.#log.info({ session: id, user: entry.user }, 'terminal detached');
  }

  #remove(id: string, why: string): void {
    const entry = this.#sessions.get(id);
    if (!entry) return;
    this.#sessions.delete(id);
    clearTimeout(entry.orphaned);
    entry.session.close();
    this.#log.info({ session: id, user: entry.user, why }, 'terminal ended');
  }
}
