import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sharedAttachments, sharedTerminals } from '../telemetry/metrics.ts';
import type { PeopleMessage, RoomRole } from './messages.ts';
import { ABSENT_MS, DECLINED_MS, Room, type RoomMember } from './room.ts';
import { Rooms } from './rooms.ts';

const owner = { userId: 'ada', email: 'ada@example.org' };

/** A member that records what it gets. */
class Member implements RoomMember {
  readonly email = '';
  readonly events: string[] = [];
  readonly told: PeopleMessage[] = [];

  constructor(
    readonly id: string,
    readonly userId: string,
    readonly role: RoomRole = 'writer',
    readonly observes = false,
  ) {}

  tell(message: PeopleMessage): void {
    this.told.push(message);
  }
  showTyping(): void {}
  losesSize(): void {
    this.events.push('loses size');
  }
  changeRole(): void {
    this.events.push('changed');
  }
  dismiss(why: string): void {
    this.events.push(why);
  }
}

describe('the room of a terminal', () => {
  let room: Room;
  let ada: Member;
  const answers: string[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    answers.length = 0;
    room = new Room(owner);
    ada = new Member('a', 'ada');
    room.enter(ada);
  });
  afterEach(() => void jest.useRealTimers());

  const ask = (userId: string, { id = userId, role = 'reader' as RoomRole } = {}) =>
    room.ask({ id, userId, email: '', role, settle: (answer) => answers.push(`${id} ${answer}`) });
  const admit = (userId: string, role: RoomRole = 'reader') => {
    ask(userId);
    room.answer('ada', userId, role);
    return new Member(userId, userId, role);
  };
  const turn = () => jest.advanceTimersByTime(1);

  it('tells the others when a writer chooses the size, and heeds nobody else', () => {
    const [bob, eve] = [admit('bob', 'writer'), admit('eve')];
    for (const member of [bob, eve]) room.enter(member);
    for (const id of ['eve', 'nobody']) room.sized(id);
    expect([ada.events, bob.events, eve.events]).toEqual([[], [], []]);
    room.sized('bob');
    expect([ada.events, bob.events, eve.events]).toEqual([['loses size'], [], ['loses size']]);
  });

  it('lets nobody back in after a minute without its owner', () => {
    const bob = admit('bob');
    room.enter(bob);
    room.leave(ada);
    jest.advanceTimersByTime(ABSENT_MS);
    expect(bob.events).toEqual(['absent']);
    expect(room.roleOf('bob')).toBeUndefined();
    expect(room.roleOf('ada')).toBe('writer');
  });

  it.each([
    ['removes', null, ['removed']],
    ['changes', 'writer', ['changed']],
  ] as const)('%s a window that was attaching meanwhile', (_what, role, events) => {
    const bob = admit('bob');
    room.change('ada', 'bob', role);
    room.enter(bob);
    expect(bob.events).toEqual(events);
    turn();
    expect(ada.told.at(-1)?.people.map(({ user }) => user)).toEqual(['ada']);
  });

  it('ends for others when the owner takes over', () => {
    const bob = admit('bob');
    room.enter(bob);
    ask('eve');
    room.end();
    expect(bob.events).toEqual(['removed']);
    expect(answers).toEqual(['bob reader', 'eve removed']);
    expect(room.roleOf('bob')).toBeUndefined();
    expect(ada.events).toEqual([]);
  });

  it('has one request of a person, and tells it once', () => {
    turn();
    ada.told.length = 0;
    for (let count = 0; count < 100; count++) ask('bob');
    for (let count = 0; count < 100; count++) ask('bob', { id: `window ${count}` });
    turn();
    expect(ada.told.map(({ requests }) => requests.map(({ id }) => id))).toEqual([['bob']]);
    expect(answers).toHaveLength(100);
    expect(answers[0]).toBe('bob repeated');
    // A window that was replaced withdraws nothing.
    room.withdraw({ id: 'bob', userId: 'bob' });
    room.answer('ada', 'bob', 'reader');
    expect(answers.at(-1)).toBe('window 99 reader');
  });

  it('tells several changes at once', () => {
    for (const userId of ['bob', 'eve', 'joe']) ask(userId);
    turn();
    expect(ada.told.map(({ requests }) => requests.length)).toEqual([3]);
  });

  it('may be asked again some seconds after a decline', () => {
    ask('bob');
    room.answer('ada', 'bob', null);
    ask('bob');
    ask('eve');
    jest.advanceTimersByTime(DECLINED_MS);
    ask('bob');
    expect(answers).toEqual(['bob declined', 'bob too_soon']);
    expect(ada.told.at(-1)?.requests.map(({ id }) => id)).toEqual(['eve']);
    turn();
    expect(ada.told.at(-1)?.requests.map(({ id }) => id)).toEqual(['eve', 'bob']);
  });

  it('gives control to each window of a person', () => {
    const windows = [admit('bob'), new Member('second', 'bob', 'reader')];
    for (const window of windows) room.enter(window);
    ask('bob', { role: 'writer' });
    room.answer('ada', 'bob', 'writer');
    expect(windows.map(({ events }) => events)).toEqual([['changed'], ['changed']]);
  });

  it('has observers while its owner is there, who stay until the owner lets them in', () => {
    const boss = new Member('boss', 'boss', 'reader', true);
    room.enter(boss);
    turn();
    const seen = () => ada.told.at(-1)?.people.map(({ user, role, observes }) => [user, role, observes]);
    expect(seen()).toEqual([
      ['ada', 'writer', false],
      ['boss', 'reader', true],
    ]);
    room.change('ada', 'boss', null);
    expect(boss.events).toEqual([]);
    room.change('ada', 'boss', 'reader');
    room.enter(new Member('second', 'boss', 'reader', true));
    turn();
    expect(seen()?.map(([, , observes]) => observes)).toEqual([false, false, false]);
    room.change('ada', 'boss', null);
    expect(boss.events).toEqual(['removed']);
  });

  it('lets nobody observe it without its owner, and no one who does not', () => {
    const bob = new Member('bob', 'bob', 'reader');
    room.enter(bob);
    expect(bob.events).toEqual(['removed']);
    room.leave(ada);
    expect(room.isObservable).toBe(false);
    const boss = new Member('boss', 'boss', 'reader', true);
    room.enter(boss);
    expect(boss.events).toEqual(['absent']);
    room.enter(ada);
    room.enter(boss);
    room.leave(ada);
    jest.advanceTimersByTime(ABSENT_MS);
    expect(boss.events).toEqual(['absent', 'absent']);
  });

  it('counts people besides its owner, by role', async () => {
    const rooms = new Rooms();
    const place = { deviceId: 'd', session: 's', owner };
    const figures = async () => [
      (await sharedTerminals.get()).values.map(({ value }) => value),
      (await sharedAttachments.get()).values.map(({ labels, value }) => `${value} ${labels.role}`),
    ];
    const leaves = [rooms.enter(place, ada), rooms.enter(place, new Member('another window', 'ada'))];
    expect(await figures()).toEqual([[0], ['0 reader', '0 writer']]);
    room = leaves[0]?.room as Room;
    leaves.push(rooms.enter(place, admit('bob')), rooms.enter(place, admit('eve', 'writer')));
    // One that may not attach.
    leaves.push(rooms.enter(place, new Member('joe', 'joe', 'reader')));
    expect(await figures()).toEqual([[1], ['1 reader', '1 writer']]);
    for (const { leave } of [...leaves, ...leaves]) leave();
    expect(await figures()).toEqual([[0], ['0 reader', '0 writer']]);
  });

  it('is forgotten a minute after its last member, by one timer', () => {
    const rooms = new Rooms();
    const place = { deviceId: 'd', session: 's', owner };
    turn();
    const before = jest.getTimerCount();
    for (let count = 0; count < 10; count++) {
      rooms.enter(place, ada).leave();
      jest.advanceTimersByTime(ABSENT_MS / 2);
    }
    const known = rooms.find('d', 's');
    expect(known).toBeDefined();
    const { leave } = rooms.enter(place, ada);
    jest.advanceTimersByTime(ABSENT_MS * 2);
    expect(rooms.find('d', 's')).toBe(known);
    leave();
    jest.advanceTimersByTime(ABSENT_MS);
    expect(rooms.find('d', 's')).toBeUndefined();
    expect(jest.getTimerCount()).toBe(before);
  });
});
