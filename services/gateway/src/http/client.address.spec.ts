import { describe, expect, it } from '@jest/globals';
import { clientAddress, clientNetwork } from './client.address.ts';

describe("a client's address", () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['unknown', '', 'unknown'],
    [undefined, '', 'unknown'],
  ])('%s is %s, counted as %s', (ip, address, network) => {
    expect([clientAddress({ ip }), clientNetwork({ ip })]).toEqual([address, network]);
  });
});
