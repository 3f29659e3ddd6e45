import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AccountTurn, LinkTurn, LoopShares } from './loop.shares.ts';

describe('the shares of the event loop', () => {
  let now: number;
  let turns: (() => void)[];
  let loop: LoopShares;
  let told: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    [now, turns, told] = [0, [], []];
    loop = new LoopShares(
      () => now,
      (begin) => turns.push(begin),
    );
  });
  afterEach(() => void jest.useRealTimers());

  const note = (what: string) => told.at(-1) === what || told.push(what);
  const linkOf = (name: string, account = new AccountTurn()) =>
    new LinkTurn({ pause: () => note(`${name} pauses`), resume: () => note(`${name} resumes`) }, account);
  const nextTurn = () => turns.splice(0).forEach((begin) => begin());
  /** Frames that take so long each. */
  const flood = (link: LinkTurn, frames: number, ms: number) => {
    for (let count = 0; count < frames; count++) {
      loop.frame(link, 16_384, false);
      now += ms;
    }
  };

  it('pause a link that has used its slice of a turn, until whatever was ready has been served', () => {
    flood(linkOf('flood'), 10, 0.1);
    expect(told).toEqual(['flood pauses']);
    nextTurn();
    expect(told).toEqual(['flood pauses', 'flood resumes']);
  });

  it('pause a link that has brought its bytes of a turn, however quickly', () => {
    flood(linkOf('flood'), 15, 0);
    expect(told).toEqual([]);
    nextTurn();
    flood(linkOf('flood'), 16, 0);
    expect(told).toEqual(['flood pauses']);
  });

  it('give a message no time that its frame did not have', () => {
    const link = linkOf('flood');
    flood(link, 1, 0.5);
    expect(loop.message(link)).toBe(false);
    nextTurn();
    expect(loop.message(link)).toBe(true);
  });

  it('pause no link that stays within its slice, turn after turn', () => {
    const link = linkOf('calm');
    for (let turn = 0; turn < 100; turn++) {
      flood(link, 4, 0.1);
      nextTurn();
    }
    expect(told).toEqual([]);
  });

  it('count for each account what its own devices use', () => {
    const [flooding, typing] = [linkOf('flood'), linkOf('neighbour')];
    flood(flooding, 3, 1);
    expect(loop.frame(typing, 20, true)).toBe(true);
    expect(told).toEqual(['flood pauses']);
  });

  it('are one for all devices of an account, which take turns', () => {
    const account = new AccountTurn();
    const [one, other] = [linkOf('one', account), linkOf('other', account)];
    flood(one, 3, 1);
    flood(other, 3, 1);
    nextTurn();
    flood(one, 3, 1);
    nextTurn();
    expect(told).toEqual(['one pauses', 'other pauses', 'one resumes', 'one pauses', 'other resumes']);
  });

  describe('for many small pieces of one read', () => {
    const pour = (link: LinkTurn, pieces: number) => {
      for (let count = 0; count < pieces; count++) loop.frame(link, 1, true);
    };

    it('pause longer while a device of another account is there', () => {
      loop.frame(linkOf('neighbour'), 20, true);
      nextTurn();
      pour(linkOf('flood'), 612);
      nextTurn();
      jest.advanceTimersByTime(49);
      expect(told).toEqual(['flood pauses']);
      jest.advanceTimersByTime(1);
      expect(told).toEqual(['flood pauses', 'flood resumes']);
    });

    it('pause for no longer than a turn otherwise', () => {
      loop.frame(linkOf('neighbour'), 20, true);
      now += 1_001;
      nextTurn();
      pour(linkOf('flood'), 10_000);
      nextTurn();
      expect(told).toEqual(['flood pauses', 'flood resumes']);
    });

    it('pause for two seconds at most, so that a PING is answered', () => {
      loop.frame(linkOf('neighbour'), 20, true);
      nextTurn();
      loop.pieces(linkOf('flood'), 100_000);
      nextTurn();
      jest.advanceTimersByTime(2_000);
      expect(told).toEqual(['flood pauses', 'flood resumes']);
    });
  });

  it('pause a link again that is read nevertheless', () => {
    const link = linkOf('flood');
    flood(link, 3, 1);
    told.length = 0;
    loop.frame(link, 16_384, false);
    expect(told).toEqual(['flood pauses']);
  });

  it('forget a link that is gone', () => {
    const link = linkOf('gone');
    flood(link, 3, 1);
    loop.leave(link);
    nextTurn();
    expect(told).toEqual(['gone pauses']);
    expect(turns).toEqual([]);
  });
});
