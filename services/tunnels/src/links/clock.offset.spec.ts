import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { setClockOffset } from './clock.offset.ts';

const NOW = Date.parse('2026-12-05T12:00:00Z');

it.each<[string, bigint | undefined, number | undefined, number | undefined]>([
  ['a clock that is right', BigInt(NOW - 400), 800, 0],
  ['one that is ahead', BigInt(NOW + 89_600), 800, 90],
  ['one that is behind', BigInt(NOW - 3_600_000), undefined, -3_600],
  ['one without a battery', 0n, 20, Math.round((10 - NOW) / 1_000)],
  ['a time that no clock has', 2n ** 62n, 20, 2 ** 31 - 1],
  ['an agent that does not tell its time', undefined, 20, undefined],
])('of %s', (_what, time, roundTrip, expected) => {
  const facts = create(FactsSchema, { ...(time !== undefined && { time }), clockOffset: 7 });
  setClockOffset(facts, NOW, roundTrip);
  expect(facts.clockOffset).toBe(expected);
});
