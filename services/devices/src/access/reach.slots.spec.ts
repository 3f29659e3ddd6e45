import { describe, expect, it } from '@jest/globals';
import { ReachSlots } from './reach.slots.ts';

const refused = { code: 'resource_exhausted', retryAfter: 2 };

describe('the slots of counts', () => {
  it('are three of an account and six of a process, and are free again after a count that fails', async () => {
    const slots = new ReachSlots();
    const { promise: going, reject } = Promise.withResolvers<never>();
    const hold = (accountId: string) => slots.hold(accountId, () => going);
    const held = ['acme', 'acme', 'acme'].map(hold);
    await expect(hold('acme')).rejects.toMatchObject(refused);
    held.push(...['zebra', 'zebra', 'globex'].map(hold));
    await expect(hold('initech')).rejects.toMatchObject(refused);
    const ended = Promise.allSettled(held);
    reject(new Error('gone'));
    expect((await ended).map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    expect(await Promise.all(['acme', 'acme', 'acme'].map((one) => slots.hold(one, async () => one)))).toHaveLength(3);
  });
});
