import { describe, expect, it } from '@jest/globals';
import { linkUp, linkDown, type Presence } from './presence.ts';

const at = (connected: boolean, replica: string | null, epoch: bigint): Presence => ({ connected, replica, epoch });
const NEVER = at(false, null, 0n);

describe('presence', () => {
  it('follows a link that comes and goes', () => {
    const up = linkUp(NEVER, { replica: 'a', epoch: 5n });
    expect(up).toEqual(at(true, 'a', 5n));
    expect(linkDown(up!, { replica: 'a', epoch: 5n })).toEqual(at(false, null, 5n));
  });

  it('takes the newer link, on whichever replica', () => {
    expect(linkUp(at(true, 'a', 5n), { replica: 'b', epoch: 6n })).toEqual(at(true, 'b', 6n));
  });

  it('ignores late events of an older link', () => {
    expect(linkDown(at(true, 'b', 6n), { replica: 'a', epoch: 5n })).toBeUndefined();
    expect(linkUp(at(true, 'b', 6n), { replica: 'a', epoch: 5n })).toBeUndefined();
    expect(linkUp(at(false, null, 6n), { replica: 'a', epoch: 5n })).toBeUndefined();
  });

  it('accepts a link-down that overtook its link-up, and ignores the link-up', () => {
    const gone = linkDown(at(true, 'a', 5n), { replica: 'b', epoch: 6n });
    expect(gone).toEqual(at(false, null, 6n));
    expect(linkUp(gone!, { replica: 'b', epoch: 6n })).toBeUndefined();
  });

  it('takes a device back whose replica was thought dead', () => {
    expect(linkUp(at(false, 'a', 5n), { replica: 'a', epoch: 5n })).toEqual(at(true, 'a', 5n));
  });

  it('does not mind hearing everything twice', () => {
    expect(linkUp(at(true, 'a', 5n), { replica: 'a', epoch: 5n })).toBeUndefined();
    expect(linkDown(at(false, null, 5n), { replica: 'a', epoch: 5n })).toBeUndefined();
  });
});
