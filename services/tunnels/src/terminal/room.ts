import type { PeopleMessage, RoomRole } from './messages.ts';

/** Why a person's attachment ends, or does not begin. */
export type Dismissal = 'absent' | 'declined' | 'removed';

/** A person's attachment to a terminal. */
export interface RoomMember {
  /** Of its socket. */
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly role: RoomRole;
  tell(message: PeopleMessage): void;
  /** Another member types. */
  showTyping(id: string): void;
  /** Attaches again, with the role that the room has for this person now. */
  changeRole(): void;
  dismiss(why: Dismissal): void;
}

/** Somebody who waits for the owner's answer. */
export interface RoomRequest {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly role: RoomRole;
  /** @param role what the owner allows; a dismissal otherwise */
  settle(role: RoomRole | Dismissal): void;
}

/** Requests that wait at once; more are refused. */
const MAX_REQUESTS = 20;
/** How long others may stay without the owner: as long as a broken connection may take to come back. */
export const ABSENT_MS = 60_000;
/** How long nobody may have control before it returns to the owner. */
const VACANT_MS = 10_000;
const TYPING_MS = 1_000;

/** Who is in a terminal through this replica, which holds the device's link, and so every attachment. */
export class Room {
  private readonly members = new Map<string, RoomMember>();
  private readonly requests = new Map<string, RoomRequest>();
  /** What the owner lets people do; the owner writes unless control was handed over. */
  private readonly roles = new Map<string, RoomRole>();
  private typist = { id: '', at: 0 };
  private absence: NodeJS.Timeout | undefined;
  private vacancy: NodeJS.Timeout | undefined;

  constructor(readonly owner: { userId: string; email: string }) {}

  get empty(): boolean {
    return this.members.size === 0;
  }

  /** The role of a person who may attach; undefined for others. */
  roleOf(userId: string): RoomRole | undefined {
    return this.roles.get(userId) ?? (userId === this.owner.userId ? 'writer' : undefined);
  }

  enter(member: RoomMember): void {
    this.members.set(member.id, member);
    if (member.userId === this.owner.userId) clearTimeout(this.absence);
    this.tell();
  }

  leave({ id, userId }: Pick<RoomMember, 'id' | 'userId'>): void {
    this.requests.delete(id);
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

  /** Asks the owner; settles at once if the owner is not there. */
  ask(request: RoomRequest): void {
    if (!this.has(this.owner.userId) || this.requests.size >= MAX_REQUESTS) return request.settle('absent');
    this.requests.set(request.id, request);
    this.tell();
  }

  withdraw(id: string): void {
    if (this.requests.delete(id)) this.tell();
  }

  /** Answers a request. Only the owner may. */
  answer(by: string, id: string, role: RoomRole | null): void {
    const request = this.requests.get(id);
    if (by !== this.owner.userId || !request) return;
    this.requests.delete(id);
    if (role) this.roles.set(request.userId, role);
    request.settle(role ?? 'declined');
    this.tell();
  }

  /** Changes what a person may do; null ends it. Only the owner may, who stays. */
  change(by: string, userId: string, role: RoomRole | null): void {
    if (by !== this.owner.userId || this.roleOf(userId) === undefined) return;
    if (role) return this.allow(userId, role);
    if (userId === this.owner.userId) return;
    this.roles.delete(userId);
    for (const member of this.of(userId)) member.dismiss('removed');
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

  private await(): void {
    for (const request of this.requests.values()) request.settle('absent');
    this.requests.clear();
    clearTimeout(this.absence);
    this.absence = setTimeout(() => {
      for (const member of [...this.members.values()]) member.dismiss('absent');
    }, ABSENT_MS);
    this.absence.unref();
  }

  private tell(): void {
    const members = [...this.members.values()];
    const requests = [...this.requests.values()].map(({ id, email, role }) => ({ id, email, role }));
    for (const to of members) {
      const people = members.map(({ id, userId: user, email, role }) => ({
        id,
        user,
        email,
        role,
        owner: user === this.owner.userId,
        you: id === to.id,
      }));
      to.tell({ people, requests: to.userId === this.owner.userId ? requests : [] });
    }
  }
}
