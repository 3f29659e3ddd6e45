import { deviceUser } from '../sockets/device.user.ts';
import type { Grant } from '../sockets/grant.ts';
import type { AttachmentRole } from './attachment.ts';
import { answerMessage, roleMessage, type PeopleMessage, type Register, type RoomRole } from './messages.ts';
import type { Dismissal, Room, RoomMember } from './room.ts';
import type { Rooms } from './rooms.ts';
import type { BrowserSocket } from './socket.sink.ts';

const REASONS: Record<Dismissal, string> = {
  absent: "The terminal's owner is not here.",
  declined: "The terminal's owner declined.",
  removed: "The terminal's owner ended your access.",
};

interface MembershipEvents {
  /** The person has another role now: the browser attaches again. */
  changeRole(): void;
  dismiss(why: Dismissal, reason: string): void;
}

/** A socket's part in a terminal that several people share: its own terminal, or one whose owner has let this person in. */
export class Membership {
  /** The owner of the terminal; this person unless another one let them in. */
  owner: Room['owner'];
  readonly person: Room['owner'];
  private room: Room | undefined;
  private role: RoomRole = 'writer';
  private leaving: (() => void) | undefined;
  private asking: Room | undefined;

  constructor(
    private readonly socket: BrowserSocket,
    private readonly grant: Grant,
    private readonly rooms: Rooms,
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

  /**
   * Decides how a browser attaches: at once, or when the owner has let this person in. Guests share no terminal.
   * @param attach called with the role
   */
  begin({ session, ask, join }: Register, attach: (role: AttachmentRole) => void): void {
    if (this.grant.user.guest) return attach('only');
    const room = session === '' ? undefined : this.rooms.find(this.grant.deviceId, session);
    const role = room?.roleOf(this.person.userId);
    this.owner = room && (role || ask) ? room.owner : this.person;
    if (this.owns) return attach(join || ask ? (role ?? 'writer') : 'only');
    if (role) return attach(role);
    if (!room || !ask) return;
    this.asking = room;
    this.socket.emit('asking', { role: ask });
    room.ask({
      ...this.person,
      id: this.socket.id,
      role: ask,
      settle: (answer) => {
        this.asking = undefined;
        if (answer === 'reader' || answer === 'writer') attach(answer);
        else this.events.dismiss(answer, REASONS[answer]);
      },
    });
  }

  /** The terminal is open. */
  enter(session: string, role: RoomRole): void {
    this.role = role;
    const { deviceId } = this.grant;
    const { room, leave } = this.rooms.enter({ deviceId, session, owner: this.owner }, this.member());
    this.room = room;
    this.leaving = leave;
  }

  /** This socket types. */
  typed(): void {
    this.room?.typed(this.socket.id);
  }

  leave(): void {
    this.asking?.withdraw(this.socket.id);
    this.asking = undefined;
    this.leaving?.();
    this.leaving = undefined;
    this.room = undefined;
  }

  private member(): RoomMember {
    return {
      ...this.person,
      id: this.socket.id,
      role: this.role,
      tell: (message: PeopleMessage) => this.socket.emit('people', message),
      showTyping: (id) => this.socket.emit('typing', { id }),
      changeRole: () => this.events.changeRole(),
      dismiss: (why) => this.events.dismiss(why, REASONS[why]),
    };
  }

  private askForControl(): void {
    if (!this.room || this.owns || this.role !== 'reader') return;
    this.room.ask({
      ...this.person,
      id: this.socket.id,
      role: 'writer',
      settle: (answer) => {
        if (answer === 'writer') this.events.changeRole();
      },
    });
  }
}
