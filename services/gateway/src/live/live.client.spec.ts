import { create } from '@bufbuild/protobuf';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { Role, UserCallerSchema, type UserCaller } from '@warren/proto/common/v1/common';
import { LiveClient } from './live.client.ts';

const user = create(UserCallerSchema, { userId: 'u1', accountId: 'a1', role: Role.OWNER });
const own = { kind: 'user', id: 'u1', account: 'a1' } as const;

describe('a live client', () => {
  const access = jest.fn<() => Promise<UserCaller | undefined>>();
  const end = jest.fn();
  let client: LiveClient;

  beforeEach(() => {
    access.mockReset();
    end.mockReset();
    client = new LiveClient({ user, session: '', access, send: () => {}, end });
  });

  it('goes on while nothing changes', async () => {
    access.mockResolvedValue(user);
    await client.check();
    expect(end).not.toHaveBeenCalled();
  });

  it.each([
    ['there is no access any more', undefined],
    ['the role is another', create(UserCallerSchema, { ...user, role: Role.MEMBER })],
  ])('ends when %s', async (_why, now) => {
    access.mockResolvedValue(now);
    await client.check();
    expect(end).toHaveBeenCalled();
  });

  it('ends when the session does', async () => {
    access.mockRejectedValue(new Fault('unauthenticated', 'gone'));
    await client.check();
    expect(end).toHaveBeenCalled();
  });

  it('bears that nobody can tell, for a while', async () => {
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
});
