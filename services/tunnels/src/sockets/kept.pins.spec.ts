import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EventFollower } from '@warren/platform/events/event.follower';
import type { AccessRights } from '../access/access.rights.ts';
import type { PinLimits } from '../access/pin.limits.ts';
import type { AgentLink } from '../links/link.ts';
import type { Links } from '../links/links.ts';
import { KeptPins } from './kept.pins.ts';

const TEN_MINUTES = 600_000;

describe('the check of pinned terminals', () => {
  let added: (link: AgentLink) => void;
  let changed: (event: object) => void;
  let links: AgentLink[];
  let limits: number[];
  let pins: KeptPins;

  beforeEach(() => {
    jest.useFakeTimers();
    links = [];
    limits = [];
    const all = {
      onAdded: (listener: typeof added) => (added = listener),
      onMoved: () => {},
      all: () => links,
    };
    const events = { follow: (listener: typeof changed) => ((changed = listener), () => {}) };
    const of = () => Promise.resolve(limits.push(7) && 7);
    pins = new KeptPins(
      events as unknown as EventFollower,
      all as unknown as Links,
      { member: () => Promise.resolve(undefined) } as unknown as AccessRights,
      { of } as unknown as PinLimits,
    );
    pins.onModuleInit();
  });
  afterEach(() => {
    pins.onModuleDestroy();
    jest.useRealTimers();
  });

  /** A link of a device with one pinned terminal, whose calls are counted. */
  const linkOf = (calls: { owners?: () => void; end?: () => void }) => {
    const asked = { owners: 0, end: 0 };
    const agent = {
      listPinOwners: async () => {
        asked.owners++;
        calls.owners?.();
        return { owners: [{ userId: 'u', userEmail: 'u@example.com' }] };
      },
      endTerminals: async () => {
        asked.end++;
        calls.end?.();
        return { ended: 1 };
      },
    };
    const link = {
      alive: true,
      hasPins: true,
      accountId: 'a',
      deviceId: 'd',
      gone: new AbortController().signal,
      agent,
    };
    links.push(link as unknown as AgentLink);
    return { asked, link: link as unknown as AgentLink & { alive: boolean } };
  };
  const fails = () => {
    throw new Error('not now');
  };

  it('asks a device that never answers less and less often, until its link ends', async () => {
    const { asked, link } = linkOf({ owners: fails });
    added(link);
    await jest.advanceTimersByTimeAsync(TEN_MINUTES);
    expect(asked.owners).toBeGreaterThan(8);
    expect(asked.owners).toBeLessThan(20);
    Object.assign(link, { alive: false });
    await jest.advanceTimersByTimeAsync(TEN_MINUTES);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not wait for such a device, and repeats its check once, however often access changes', async () => {
    const { asked } = linkOf({ owners: fails });
    const event = { kind: { case: 'accessChanged' }, accountId: 'a' };
    for (let change = 1; change <= 3; change++) {
      changed(event);
      await jest.advanceTimersByTimeAsync(0);
    }
    // The limit is known since the first change: the others ask no device again.
    expect(asked.owners).toBe(1);
    expect(jest.getTimerCount()).toBe(1);
  });

  it('tries again to end the terminals of a person who has lost the right', async () => {
    let isAway = true;
    const { asked, link } = linkOf({ end: () => (isAway ? fails() : undefined) });
    added(link);
    await jest.advanceTimersByTimeAsync(0);
    expect(asked.end).toBe(1);
    isAway = false;
    await jest.advanceTimersByTimeAsync(TEN_MINUTES);
    expect(asked.end).toBe(2);
  });
});
