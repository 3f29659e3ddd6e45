import { Injectable } from '@nestjs/common';
import { sharedAttachments, sharedTerminals } from '../telemetry/metrics.ts';
import { ABSENT_MS, Room, type RoomMember } from './room.ts';

/**
 * The shared terminals of the devices that are linked here. A room is forgotten a minute after its last member, and when the
 * device moves to another replica: the owner is asked again there.
 */
@Injectable()
export class Rooms {
  private readonly rooms = new Map<string, Room>();
  /** Of the empty rooms that are forgotten soon. */
  private readonly timers = new Map<Room, NodeJS.Timeout>();

  /** Finds the room of a terminal in which somebody is, or was a moment ago. */
  find(deviceId: string, session: string): Room | undefined {
    return this.rooms.get(keyOf(deviceId, session));
  }

  /** Finds the terminals of a device that somebody may observe: those of others, who are there. */
  observable(deviceId: string, userId: string): Pick<Place, 'session' | 'owner'>[] {
    const prefix = keyOf(deviceId, '');
    return [...this.rooms]
      .filter(([key, room]) => key.startsWith(prefix) && room.isObservable && room.owner.userId !== userId)
      .map(([key, { owner }]) => ({ session: key.slice(prefix.length), owner }));
  }

  /**
   * Enters the room of a terminal, which is made if it is new.
   * @returns the room, and a function that leaves it
   */
  enter({ deviceId, session, owner }: Place, member: RoomMember): { room: Room; leave: () => void } {
    const key = keyOf(deviceId, session);
    const known = this.rooms.get(key);
    // A device that gives two people's terminals one id brings nobody into another person's room.
    const room = known?.owner.userId === owner.userId ? known : new Room(owner);
    if (!known) this.rooms.set(key, room);
    counted(room, () => room.enter(member));
    this.await(key, room);
    const leave = () => {
      counted(room, () => room.leave(member));
      this.await(key, room);
    };
    return { room, leave };
  }

  /** Forgets a room once it has been empty for a while. */
  private await(key: string, room: Room): void {
    clearTimeout(this.timers.get(room));
    this.timers.delete(room);
    if (!room.empty || this.rooms.get(key) !== room) return;
    this.timers.set(room, setTimeout(() => this.forget(key, room), ABSENT_MS).unref());
  }

  private forget(key: string, room: Room): void {
    this.timers.delete(room);
    this.rooms.delete(key);
  }
}

/** A terminal, and its owner, as whom the agent has opened it. */
interface Place {
  deviceId: string;
  session: string;
  owner: Room['owner'];
}

const keyOf = (deviceId: string, session: string) => `${deviceId}/${session}`;

/** Changes who is in a room, and counts what that changes. */
function counted(room: Room, change: () => void): void {
  count(room, -1);
  change();
  count(room, 1);
}

function count({ others }: Room, sign: 1 | -1): void {
  if (others.length > 0) sharedTerminals.inc(sign);
  for (const { role } of others) sharedAttachments.inc({ role }, sign);
}
