import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TicketRefused } from '../ticket.ts';
import { LogsClient } from './client.ts';

const line = (index: number) => ({ cursor: `i=${index}`, message: `${index}`, priority: 6 });

/** A connection whose other end the test controls. */
class FakeSocket {
  readonly sent: [string, Record<string, unknown>][] = [];
  closed = false;
  private readonly listeners = new Map<string, (payload: unknown) => void>();

  id = () => 'socket';
  on = (event: string, listener: (payload: unknown) => void) => void this.listeners.set(event, listener);
  emit = (event: string, payload: unknown = {}) => void this.sent.push([event, payload as Record<string, unknown>]);
  close = () => void (this.closed = true);
  tell = (event: string, payload?: unknown) => this.listeners.get(event)?.(payload);
}

describe('the logs of a device', () => {
  let sockets: FakeSocket[];
  let client: LogsClient;
  let ticket: () => Promise<{ token: string; user: string; device: string }>;

  beforeEach(() => {
    jest.useFakeTimers();
    sockets = [];
    ticket = () => Promise.resolve({ token: 't', user: 'u', device: 'd' });
    const openSocket = () => {
      sockets.push(new FakeSocket());
      return sockets.at(-1)!;
    };
    client = new LogsClient({ openSocket, ticket: () => ticket() });
  });
  afterEach(() => {
    client.close();
    jest.useRealTimers();
  });

  const last = () => sockets.at(-1)!;
  const texts = () => client.snapshot.list.map(({ message }) => message);
  const dial = async () => {
    await jest.advanceTimersByTimeAsync(5_000);
    last().tell('connect');
  };
  const live = async () => {
    client.connect();
    await dial();
    last().tell('page', { view: 1, lines: [line(1), line(2)], older: 'i=1' });
  };

  it('are a page, then new lines in batches', async () => {
    await live();
    expect(last().sent).toEqual([['watch', { view: 1, unit: '', text: '', after: '' }]]);
    last().tell('lines', { view: 1, lines: [line(3)] });
    last().tell('lines', { view: 1, lines: [line(4)] });
    expect(texts()).toEqual(['1', '2']);
    await jest.advanceTimersByTimeAsync(100);
    expect(texts()).toEqual(['1', '2', '3', '4']);
  });

  it('forget what belongs to another filter', async () => {
    await live();
    client.choose({ unit: 'kernel', text: '' });
    expect(texts()).toEqual([]);
    last().tell('lines', { view: 1, lines: [line(3)] });
    last().tell('page', { view: 2, lines: [line(9)] });
    await jest.advanceTimersByTimeAsync(100);
    expect(texts()).toEqual(['9']);
  });

  it('come back by themselves after the last line that was shown', async () => {
    await live();
    last().tell('lines', { view: 1, lines: [line(3)] });
    last().tell('client_disconnect', { reason: 'pi is not connected.' });
    expect(client.snapshot.status).toMatchObject({ state: 'lost', reason: 'pi is not connected.' });
    expect([texts(), last().closed]).toEqual([['1', '2', '3'], true]);
    await dial();
    expect(sockets).toHaveLength(2);
    expect(last().sent).toEqual([['watch', { view: 2, unit: '', text: '', after: 'i=3' }]]);
    expect(client.snapshot.status).toEqual({ state: 'live' });
  });

  it('start over after a long disconnect', async () => {
    await live();
    ticket = () => Promise.reject(new TicketRefused('away', true));
    last().tell('disconnect');
    await jest.advanceTimersByTimeAsync(6 * 60_000);
    ticket = () => Promise.resolve({ token: 't', user: 'u', device: 'd' });
    await dial();
    expect(last().sent).toMatchObject([['watch', { after: '' }]]);
    expect(texts()).toEqual([]);
  });

  it('are empty, and no failure, while the journal of an older agent is empty', async () => {
    client.connect();
    await dial();
    last().tell('failed', { view: 1, reason: 'Pi: the journal of this device is empty.', retry: false });
    expect(client.snapshot).toMatchObject({ status: { state: 'live' }, loaded: true, list: [] });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(client.snapshot.loaded).toBe(true);
    expect(last().sent.at(-1)).toEqual(['watch', { view: 2, unit: '', text: '', after: '' }]);
    last().tell('page', { view: 2, lines: [line(1)] });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(texts()).toEqual(['1']);
    expect(last().sent).toHaveLength(2);
  });

  it('end where a retry can’t help, until the person retries', async () => {
    await live();
    last().tell('failed', { view: 1, reason: 'There is no journal.', retry: false });
    expect(client.snapshot.status).toEqual({ state: 'failed', reason: 'There is no journal.' });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
    client.connect();
    await dial();
    expect(client.snapshot.status).toEqual({ state: 'live' });
  });

  it('read older pages one at a time', async () => {
    await live();
    client.loadOlder();
    client.loadOlder();
    expect(last().sent.slice(1)).toEqual([['older', { view: 1, unit: '', text: '', before: 'i=1' }]]);
    last().tell('older', { view: 1, lines: [line(0)], older: '' });
    expect([texts(), client.snapshot.older]).toEqual([['0', '1', '2'], '']);
    client.loadOlder();
    expect(last().sent).toHaveLength(2);
  });
});
