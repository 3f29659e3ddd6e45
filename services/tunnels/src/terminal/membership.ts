import type { Observing } from '../access/observing.ts';
import { deviceUser } from '../sockets/device.user.ts';
import type { Grant } from '../sockets/grant.ts';
import type { AttachmentRole } from './attachment.options.ts';
import {
  answerMessage,
  roleMessage,
  type PeopleMessage,
  type RefusalCode,
  type Register,
  type RoomRole,
} from './messages.ts';
import { DECLINED_MS, type Dismissal, type Room, type RoomMember } from './room.ts';
import type { Rooms } from './rooms.ts';
import type { BrowserSocket } from './socket.sink.ts';

const REASONS: Record<Dismissal, string> = {
  absent: "The terminal's owner is not here.",
  declined: "The terminal's owner declined.",
  removed: "The terminal's owner ended your access.",
  repeated: 'You asked again in another window.',
  too_soon: `The terminal's owner declined. You can ask again after ${DECLINED_MS / 1_000} seconds.`,
};

const UNOBSERVED = 'Your account does not let you observe terminals without consent any more.';

/** The dependencies of a membership. */
export interface MembershipParts {
  rooms: Rooms;
  observing: Pick<Observing, 'mightObserve' | 'mayObserve'>;
}

interface MembershipEvents {
  /** Attaches the browser again: the person has another role now. */
  changeRole(): void;
  /** Ends the attachment, or says why there is none. */
  dismiss(why: DismissalCode, reason: string): void;
}

/** A dismissal as browsers know it. */
export type DismissalCode = Extract<RefusalCode, Dismissal>;

const codeOf = (why: Dismissal): DismissalCode => (why === 'repeated' || why === 'too_soon' ? 'declined' : why);

/** A socket's part in a terminal that several people share: its own terminal, or one whose owner has let this person in. */
export class Membership {
  /** The owner of the terminal; this person unless another one let them in. */
  owner: Room['owner'];
  readonly person: Room['owner'];
  private room: Room | undefined;
  private role: RoomRole = 'writer';
  private leaving: (() => void) | undefined;
  private asking: Room | undefined;
  private isObserver = false;

  constructor(
    private readonly socket: BrowserSocket,
    private readonly grant: Grant,
    private readonly parts: MembershipParts,
    private readonly events: MembershipEvents,
  ) {
    const { userId, userEmail: email } = deviceUser(grant.user);
    this.person = { userId, email };
    this.owner = this.person;
    socket.on('answer', (payload) => {
      const { data } = answerMessage.safeParse(payload);
      if (data) this.room?.answer(this.person.userId, data.id, data.role);
    });
    socket.on('role', (payload) => {
      const { data } = roleMessage.safeParse(payload);
      if (data) this.room?.change(this.person.userId, data.user, data.role);
    });
    socket.on('ask', () => this.askForControl());
  }

  /** Whether the terminal is this person's own. */
  get owns(): boolean {
    return this.owner.userId === this.person.userId;
  }

  /** True while the owner has not answered. */
  get waits(): boolean {
    return this.asking !== undefined;
  }

  /** Whether this person reads without the owner's consent. */
  get observes(): boolean {
    return this.isObserver && !this.room?.roleOf(this.person.userId);
  }

  /** What the audit trail says of this person's part in another one's terminal. */
  partAs(role: RoomRole): Record<string, unknown> {
    return this.owns ? {} : { role, owner: this.owner.email, ...(this.isObserver && { observed: true }) };
  }

  /** Ends the attachment of an observer whom the account does not allow it any more. @throws Fault if that can't be read */
  async recheck(): Promise<void> {
    const { user, deviceAccountId } = this.grant;
    if (!this.observes || (await this.parts.observing.mayObserve(user, deviceAccountId))) return;
    // The owner may have let them in meanwhile.
    if (this.observes) this.events.dismiss('removed', UNOBSERVED);
  }

  /**
   * Decides how a browser attaches: at once, or when the owner has let this person in, or the account's policy does. Guests share no terminal.
   * @param attach called with the role
   */
  begin({ session, ask, join }: Register, attach: (role: AttachmentRole) => void): void {
    this.isObserver = false;
    if (this.grant.user.guest) return attach('only');
    const room = session === '' ? undefined : this.parts.rooms.find(this.grant.deviceId, session);
    const role = room?.roleOf(this.person.userId);
    this.owner = room && (role || ask) ? room.owner : this.person;
    if (this.owns) return attach(join || ask ? (role ?? 'writer') : 'only');
    if (role) return attach(role);
    if (room && ask) this.join(room, ask, attach);
  }

  /** Attaches to another person's terminal when the account or the owner lets this person. */
  private join(room: Room, ask: RoomRole, attach: (role: RoomRole) => void): void {
    this.asking = room;
    const { user, deviceAccountId } = this.grant;
    const mightObserve = ask === 'reader' && this.parts.observing.mightObserve(user, deviceAccountId);
    if (mightObserve && room.isObservable) void this.observe(room, attach);
    else this.ask(room, ask, attach);
  }

  /** Attaches as an observer if the account allows it; otherwise, and while that is not known, the owner is asked. */
  private async observe(room: Room, attach: (role: RoomRole) => void): Promise<void> {
    const { user, deviceAccountId } = this.grant;
    const mayObserve = await this.parts.observing.mayObserve(user, deviceAccountId).catch(() => false);
    // The browser has left meanwhile.
    if (this.asking !== room) return;
    if (!mayObserve) return this.ask(room, 'reader', attach);
    this.asking = undefined;
    this.isObserver = true;
    attach(room.roleOf(this.person.userId) ?? 'reader');
  }

  private ask(room: Room, ask: RoomRole, attach: (role: RoomRole) => void): void {
    this.socket.emit('asking', { role: ask });
    room.ask({
      ...this.person,
      id: this.socket.id,
      role: ask,
      settle: (answer) => {
        this.asking = undefined;
        if (answer === 'reader' || answer === 'writer') attach(answer);
        else this.dismiss(answer);
      },
    });
  }

  /** Enters the room of the terminal, which is open and shared. */
  enter(session: string, role: RoomRole): void {
    this.role = role;
    const { deviceId } = this.grant;
    const { room, leave } = this.parts.rooms.enter({ deviceId, session, owner: this.owner }, this.member());
    this.room = room;
    this.leaving = leave;
  }

  /** Ends the room of the terminal, which its owner has taken over. */
  takeOver(session: string): void {
    const room = this.parts.rooms.find(this.grant.deviceId, session);
    if (room?.owner.userId === this.person.userId) room.end();
  }

  /** Shows the others that this socket types. */
  typed(): void {
    this.room?.typed(this.socket.id);
  }

  /** Lets this window set the size of the terminal, or the smallest one again. */
  size(attachment: { sizeBy(isMine: boolean): void }, isMine: boolean): void {
    attachment.sizeBy(isMine);
    this.room?.sized(this.socket.id);
  }

  /** Leaves the room, and withdraws the request. */
  leave(): void {
    this.asking?.withdraw({ id: this.socket.id, userId: this.person.userId });
    this.asking = undefined;
    this.leaving?.();
    this.leaving = undefined;
    this.room = undefined;
  }

  private dismiss(why: Dismissal): void {
    this.events.dismiss(codeOf(why), REASONS[why]);
  }

  private member(): RoomMember {
    return {
      ...this.person,
      id: this.socket.id,
      role: this.role,
      observes: this.isObserver,
      tell: (message: PeopleMessage) => this.socket.emit('people', message),
      showTyping: (id) => this.socket.emit('typing', { id }),
      losesSize: () => this.socket.emit('sizing', { mine: false }),
      changeRole: () => this.events.changeRole(),
      dismiss: (why) => this.dismiss(why),
    };
  }

  private askForControl(): void {
    if (!this.room || this.owns || this.role !== 'reader') return;
    // The room changes the role of each window of the person.
    this.room.ask({ ...this.person, id: this.socket.id, role: 'writer', settle: () => {} });
  }
}
