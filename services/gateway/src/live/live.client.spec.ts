import { create } from '@bufbuild/protobuf';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { Role, UserCallerSchema, type UserCaller } from '@warren/proto/common/v1/common';
import type { Change } from './change.ts';
import { LiveClient } from './live.client.ts';

const user = create(UserCallerSchema, { userId: 'u1', accountId: 'a1', role: Role.OWNER });
const own = { kind: 'user', id: 'u1', account: 'a1' } as const;

describe('a live client', () => {
  const access = jest.fn<() => Promise<UserCaller | undefined>>();
  const end = jest.fn();
  const resync = jest.fn();
  const send = jest.fn<(change: Change) => void>();
  let client: LiveClient;

  beforeEach(() => {
    access.mockReset();
    for (const mock of [end, resync, send]) mock.mockReset();
    client = new LiveClient({ user, session: '', access, send, resync, end });
  });

  it('continues while nothing changes', async () => {
    access.mockResolvedValue(user);
    await client.check();
    expect(end).not.toHaveBeenCalled();
  });

  it('ends when there is no access any more', async () => {
    access.mockResolvedValue(undefined);
    await client.check();
    expect(end).toHaveBeenCalled();
    expect(resync).not.toHaveBeenCalled();
  });

  it('has everything read again and ends when the role is another', async () => {
    access.mockResolvedValue(create(UserCallerSchema, { ...user, role: Role.MEMBER }));
    await client.check();
    expect(resync).toHaveBeenCalled();
    expect(end).toHaveBeenCalled();
  });

  it('ends when the session does', async () => {
    access.mockRejectedValue(new Fault('unauthenticated', 'gone'));
    await client.check();
    expect(end).toHaveBeenCalled();
  });

  it('survives failing checks for a while', async () => {
    access.mockRejectedValue(new Fault('unavailable', 'down'));
    for (let count = 0; count < 5; count++) await client.check();
    expect(end).not.toHaveBeenCalled();
    access.mockResolvedValueOnce(user);
    await client.check();
    for (let count = 0; count < 5; count++) await client.check();
    expect(end).not.toHaveBeenCalled();
    await client.check();
    expect(end).toHaveBeenCalledTimes(1);
  });

  it('asks again when its user changed while it asked', async () => {
    let answer = (_now: UserCaller): void => {};
    access.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const first = client.check();
    access.mockResolvedValueOnce(undefined);
    client.hear(own);
    answer(user);
    await first;
    expect(access).toHaveBeenCalledTimes(2);
    await client.check();
    expect(end).toHaveBeenCalled();
  });

  describe('of a page that is older than its stream', () => {
    const device = (id: string, account = 'a1'): Change => ({ kind: 'device', id, account });

    it('hears once of each thing that changed, if it may', () => {
      client.catchUp([device('d1'), device('d2', 'a2'), device('d1'), device('d3')]);
      expect(send.mock.calls).toEqual([[device('d1')], [device('d3')]]);
      expect(resync).not.toHaveBeenCalled();
    });

    it.each<[string, Change[] | undefined]>([
      ['the changes are unknown', undefined],
      ['too much changed', Array.from({ length: 201 }, (_, nth) => device(`d${nth}`))],
      ['its own rights may have changed', [device('d1'), own]],
    ])('reads everything again when %s', (_why, missed) => {
      client.catchUp(missed);
      expect(resync).toHaveBeenCalledTimes(1);
      expect(send).not.toHaveBeenCalled();
    });

    it('does not read again for changes that it may not receive', () => {
      client.catchUp(Array.from({ length: 500 }, (_, nth) => device(`d${nth}`, 'a2')));
      expect(resync).not.toHaveBeenCalled();
    });
  });
});
