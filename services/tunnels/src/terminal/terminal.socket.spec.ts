import { afterEach, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { Rooms } from './rooms.ts';
import { TerminalSocket } from './terminal.socket.ts';

afterEach(() => void jest.useRealTimers());

/** A browser's socket, without a connection. */
class FakeSocket extends EventEmitter {
  readonly id = 'socket';
  readonly handshake = { auth: {} };
  readonly conn = { transport: Object.assign(new EventEmitter(), { writable: true }), request: { socket: {} } };
  connected = true;
  readonly disconnect = jest.fn(() => (this.connected = false));
}

it('stays open while the owner of a terminal is asked, and not for long after', () => {
  jest.useFakeTimers();
  const rooms = new Rooms();
  const owner = { userId: 'ada', email: 'ada@example.org' };
  const ignore = { tell: () => {}, showTyping: () => {}, losesSize: () => {}, changeRole: () => {}, dismiss: () => {} };
  const place = { deviceId: 'd', session: 's', owner };
  const { room } = rooms.enter(place, { ...owner, ...ignore, id: 'a', role: 'writer', observes: false });
  const socket = new FakeSocket();
  const grant = { user: { userId: 'bob', email: 'bob@example.org' }, deviceId: 'd' };
  new TerminalSocket(socket as never, grant as never, { rooms, observing: { mightObserve: () => false } } as never);
  socket.emit('register', { session: 's', ask: 'reader' });
  jest.advanceTimersByTime(10 * 60_000);
  expect(socket.disconnect).not.toHaveBeenCalled();
  room.answer('ada', 'bob', null);
  expect(socket.disconnect).not.toHaveBeenCalled();
  jest.advanceTimersByTime(60_000);
  expect(socket.disconnect).toHaveBeenCalledTimes(1);
});
