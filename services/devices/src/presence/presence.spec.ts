import { describe, expect, it } from '@jest/globals';
import { greeted, parted, type Presence } from './presence.ts';

const at = (connected: boolean, replica: string | null, epoch: bigint): Presence => ({ connected, replica, epoch });
const NEVER = at(false, null, 0n);

describe('presence', () => {
  it('follows a link that comes and goes', () => {
    const up = greeted(NEVER, { replica: 'a', epoch: 5n });
    expect(up).toEqual(at(true, 'a', 5n));
    expect(parted(up!, { replica: 'a', epoch: 5n })).toEqual(at(false, null, 5n));
  });

  it('takes the newer link, on whichever replica', () => {
    expect(greeted(at(true, 'a', 5n), { replica: 'b', epoch: 6n })).toEqual(at(true, 'b', 6n));
  });

  it("never lets an older link's late goodbye or greeting override the newer", () => {
    expect(parted(at(true, 'b', 6n), { replica: 'a', epoch: 5n })).toBeUndefined();
    expect(greeted(at(true, 'b', 6n), { replica: 'a', epoch: 5n })).toBeUndefined();
    expect(greeted(at(false, null, 6n), { replica: 'a', epoch: 5n })).toBeUndefined();
  });

  it('believes a goodbye that overtook its greeting, and not the greeting', () => {
    const gone = parted(at(true, 'a', 5n), { replica: 'b', epoch: 6n });
    expect(gone).toEqual(at(false, null, 6n));
    expect(greeted(gone!, { replica: 'b', epoch: 6n })).toBeUndefined();
  });

  it('takes a device back whose replica was thought dead', () => {
    expect(greeted(at(false, 'a', 5n), { replica: 'a', epoch: 5n })).toEqual(at(true, 'a', 5n));
  });

  it('does not mind hearing everything twice', () => {
    expect(greeted(at(true, 'a', 5n), { replica: 'a', epoch: 5n })).toBeUndefined();
    expect(parted(at(false, null, 5n), { replica: 'a', epoch: 5n })).toBeUndefined();
  });
});
