import type { PeopleMessage, RoomRole } from './messages.ts';

/**
 * Why a person's attachment ends, or does not begin. `repeated`: the person asks again from another window. `too_soon`: the owner
 * has just declined.
 */
export type Dismissal = 'absent' | 'declined' | 'removed' | 'repeated' | 'too_soon';

/** A person's attachment to a terminal. */
export interface RoomMember {
  /** Of its socket. */
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly role: RoomRole;
  /** Reads by the policy of the account, without the owner's consent. The owner's consent counts before it. */
  readonly observes: boolean;
  /** Shows who is in the terminal. */
  tell(message: PeopleMessage): void;
  /** Shows that another member types. */
  showTyping(id: string): void;
  /** Shows that this member's window does not set the size any more. */
  losesSize(): void;
  /** Attaches again, with the role that the room has for this person now. */
  changeRole(): void;
  /** Ends the attachment. */
  dismiss(why: Dismissal): void;
}

/** Somebody who waits for the owner's answer. */
export interface RoomRequest {
  /** Of its socket. */
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly role: RoomRole;
  /** Receives the answer. @param role what the owner allows; a dismissal otherwise */
  settle(role: RoomRole | Dismissal): void;
}

/** Requests that wait at once; more are refused. */
const MAX_REQUESTS = 20;
/** How long others may stay without the owner: as long as a broken connection may take to come back. */
export const ABSENT_MS = 60_000;
/** How long nobody may have control before it returns to the owner. */
const VACANT_MS = 10_000;
const TYPING_MS = 1_000;
/** How long a person may not ask again after the owner has declined. */
export const DECLINED_MS = 10_000;

/** Who is in a terminal through this replica, which holds the device's link, and so every attachment. */
export class Room {
  private readonly members = new Map<string, RoomMember>();
  /** By the person who asks: each has one. */
  private readonly requests = new Map<string, RoomRequest>();
  /** When the owner has declined whom. */
  private readonly declined = new Map<string, number>();
  /** What the owner lets people do; the owner writes unless control was handed over. */
  private readonly roles = new Map<string, RoomRole>();
  private typist = { id: '', at: 0 };
  private isTelling = false;
  private absence: NodeJS.Timeout | undefined;
  private vacancy: NodeJS.Timeout | undefined;

  constructor(readonly owner: { userId: string; email: string }) {}

  get empty(): boolean {
    return this.members.size === 0;
  }

  /** The members who are not the owner. */
  get others(): RoomMember[] {
    return [...this.members.values()].filter(({ userId }) => userId !== this.owner.userId);
  }

  /** Returns the role of a person who may attach; undefined for others. */
  roleOf(userId: string): RoomRole | undefined {
    return this.roles.get(userId) ?? (userId === this.owner.userId ? 'writer' : undefined);
  }

  /** Whether a person may observe now: the owner is there, and sees it. */
  get isObservable(): boolean {
    return this.has(this.owner.userId);
  }

  /** Adds a member; one whose role has changed while it was attaching attaches again, or ends. */
  enter(member: RoomMember): void {
    const observed = member.observes && this.isObservable ? 'reader' : undefined;
    const role = this.roleOf(member.userId) ?? observed;
    if (role === undefined) return member.dismiss(this.has(this.owner.userId) ? 'removed' : 'absent');
    if (role !== member.role) return member.changeRole();
    this.members.set(member.id, member);
    if (member.userId === this.owner.userId) clearTimeout(this.absence);
    this.tell();
  }

  /** Removes a member, and its request. */
  leave({ id, userId }: Pick<RoomMember, 'id' | 'userId'>): void {
    this.withdraw({ id, userId });
    if (!this.members.delete(id)) return;
    if (userId === this.owner.userId && !this.has(userId)) this.await();
    clearTimeout(this.vacancy);
    this.vacancy = setTimeout(() => this.returnControl(), VACANT_MS);
    this.vacancy.unref();
    this.tell();
  }

  /** Shows the others who types, once a second at most. */
  typed(id: string): void {
    const now = performance.now();
    if (this.members.size < 2 || (this.typist.id === id && now - this.typist.at < TYPING_MS)) return;
    this.typist = { id, at: now };
    for (const member of this.members.values()) if (member.id !== id) member.showTyping(id);
  }

  /** A writer has chosen which window sets the size, so no other member's does. */
  sized(id: string): void {
    if (this.members.get(id)?.role !== 'writer') return;
    for (const member of this.members.values()) if (member.id !== id) member.losesSize();
  }

  /**
   * Asks the owner. Settles at once if the owner is not there, or has declined a moment ago. A request from another window of the person takes
   * the place of the former one.
   */
  ask(request: RoomRequest): void {
    const { id, userId, role } = request;
    const former = this.requests.get(userId);
    if (former?.id === id) return;
    if (!this.has(this.owner.userId)) return request.settle('absent');
    if (performance.now() - (this.declined.get(userId) ?? -Infinity) < DECLINED_MS) return request.settle('too_soon');
    if (!former && this.requests.size >= MAX_REQUESTS) return request.settle('absent');
    this.requests.set(userId, request);
    former?.settle('repeated');
    if (former?.role !== role) this.tell();
  }

  /** Withdraws the request of a socket. */
  withdraw({ id, userId }: Pick<RoomRequest, 'id' | 'userId'>): void {
    if (this.requests.get(userId)?.id !== id) return;
    this.requests.delete(userId);
    this.tell();
  }

  /** Answers a request, by the `id` in `people`. Only the owner may. */
  answer(by: string, id: string, role: RoomRole | null): void {
    const request = this.requests.get(id);
    if (by !== this.owner.userId || !request) return;
    this.requests.delete(id);
    if (role) this.allow(id, role);
    else this.decline(id);
    request.settle(role ?? 'declined');
    this.tell();
  }

  /** Changes what a person may do; null ends it. Only the owner may, who stays. Observers stay too: the account lets them. */
  change(by: string, userId: string, role: RoomRole | null): void {
    if (by !== this.owner.userId) return;
    const isObserver = !this.roleOf(userId) && this.of(userId).some(({ observes }) => observes);
    if (role && (isObserver || this.roleOf(userId))) this.allow(userId, role);
    if (role || isObserver || userId === this.owner.userId) return;
    this.roles.delete(userId);
    for (const member of this.of(userId)) member.dismiss('removed');
  }

  /** Ends what others may do: the owner has taken over. */
  end(): void {
    this.settleAll('removed');
    this.removeOthers('removed');
  }

  /** The owner types again when those who had control are gone: without a writer, the terminal would end. */
  private returnControl(): void {
    const writers = [...this.members.values()].filter(({ role }) => role === 'writer');
    if (writers.length === 0) this.allow(this.owner.userId, 'writer');
  }

  private allow(userId: string, role: RoomRole): void {
    this.roles.set(userId, role);
    for (const member of this.of(userId)) if (member.role !== role) member.changeRole();
  }

  private has(userId: string): boolean {
    return this.of(userId).length > 0;
  }

  private of(userId: string): RoomMember[] {
    return [...this.members.values()].filter((member) => member.userId === userId);
  }

  private decline(userId: string): void {
    const now = performance.now();
    for (const [who, at] of this.declined) if (now - at >= DECLINED_MS) this.declined.delete(who);
    this.declined.set(userId, now);
  }

  /** Waits for the owner, for as long as others may stay. */
  private await(): void {
    this.settleAll('absent');
    clearTimeout(this.absence);
    this.absence = setTimeout(() => this.removeOthers('absent'), ABSENT_MS);
    this.absence.unref();
  }

  private settleAll(why: Dismissal): void {
    const requests = [...this.requests.values()];
    this.requests.clear();
    for (const request of requests) request.settle(why);
  }

  /** The roles end first: nobody comes back without the owner. */
  private removeOthers(why: Dismissal): void {
    for (const userId of [...this.roles.keys()]) if (userId !== this.owner.userId) this.roles.delete(userId);
    for (const member of this.others) member.dismiss(why);
  }

  /** Tells the members, once per turn of the event loop. */
  private tell(): void {
    if (this.isTelling) return;
    this.isTelling = true;
    setImmediate(() => {
      this.isTelling = false;
      this.tellNow();
    });
  }

  private tellNow(): void {
    const members = [...this.members.values()];
    const requests = [...this.requests.values()].map(({ userId: id, email, role }) => ({ id, email, role }));
    for (const to of members) {
      const people = members.map(({ id, userId: user, email, role, observes }) => ({
        id,
        user,
        email,
        role,
        owner: user === this.owner.userId,
        observes: observes && this.roleOf(user) === undefined,
        you: id === to.id,
      }));
      to.tell({ people, requests: to.userId === this.owner.userId ? requests : [] });
    }
  }
}
