import { Fault } from '@warren/platform/errors/fault';
import type { UserCaller } from '@warren/proto/common/v1/common';
import { concernsAccess, heardOf, sameAccess, type Change } from './change.ts';

/** Failed checks in a row after which the stream ends: the session may have ended meanwhile. */
const MAX_UNANSWERED = 6;
/** How long changes of devices wait for others where their ids are withheld. */
const COALESCE_MS = 200;
/** Missed changes that are sent one by one. For more, it costs less to read each list once. */
const MAX_MISSED = 200;

export interface LiveClientOptions {
  user: UserCaller;
  /** Hash of the session; empty if that is not known. */
  session: string;
  /** The session's user; undefined without access. Fails as SessionReader.read does. */
  access: () => Promise<UserCaller | undefined>;
  send: (change: Change) => void;
  /** Says that anything may be different by now. */
  resync: () => void;
  end: () => void;
}

/** One open stream: what it may hear, and whether it still may. */
export class LiveClient {
  readonly user: UserCaller;
  readonly session: string;
  private unanswered = 0;
  private checking: Promise<void> | undefined;
  private again = false;
  private waits = false;

  constructor(private readonly options: LiveClientOptions) {
    this.user = options.user;
    this.session = options.session;
  }

  hear(change: Change): void {
    if (concernsAccess(this.user, change)) {
      // A change during a check may not be in its result.
      this.again = this.checking !== undefined;
      void this.check();
    }
    const heard = heardOf(this.user, change);
    if (!heard) return;
    if (heard.id === '') this.sendLater(heard);
    else this.options.send(heard);
  }

  /** One for many: each is the same. */
  private sendLater(change: Change): void {
    if (this.waits) return;
    this.waits = true;
    setTimeout(() => {
      this.waits = false;
      this.options.send(change);
    }, COALESCE_MS).unref();
  }

  /** Sends what the page missed before its stream opened; undefined if that is unknown. */
  catchUp(missed: readonly Change[] | undefined): void {
    if (!missed) return this.options.resync();
    const heard = new Map<string, Change>();
    for (const change of missed) {
      const told = heardOf(this.user, change);
      if (told) heard.set(`${told.kind} ${told.id} ${told.account}`, told);
      if (heard.size > MAX_MISSED || concernsAccess(this.user, change)) return this.options.resync();
    }
    for (const change of heard.values()) this.options.send(change);
  }

  /** Ends the stream unless the session is there and allows what it did when the stream began. */
  check(): Promise<void> {
    this.checking ??= this.ask().finally(() => {
      this.checking = undefined;
      if (!this.again) return;
      this.again = false;
      void this.check();
    });
    return this.checking;
  }

  end(): void {
    this.options.end();
  }

  private async ask(): Promise<void> {
    try {
      const now = await this.options.access();
      this.unanswered = 0;
      if (now && sameAccess(this.user, now)) return;
      if (now) this.options.resync();
      this.end();
    } catch (error) {
      const gone = error instanceof Fault && error.code === 'unauthenticated';
      this.unanswered++;
      if (gone || this.unanswered >= MAX_UNANSWERED) this.end();
    }
  }
}
