import { describe, expect, it } from '@jest/globals';
import { isOnDevice } from './device-side.address.ts';

describe('an address on the device', () => {
  it.each([
    ['127.0.0.1', ''],
    ['127.8.9.10', '10.0.0.1'],
    ['::1', ''],
    ['10.0.0.1', '10.0.0.1'],
    ['192.168.7.1', '192.168.7.1'],
    ['FD00:0::1', 'fd00::1'],
    ['fe80::1', 'fe80::1'],
    ['100.101.2.3', '100.101.2.3'],
  ])('is %s for a device with %j', (address, own) => {
    expect(isOnDevice(address, own)).toBe(true);
  });

  it.each([
    ['10.0.0.2', '10.0.0.1'],
    ['169.254.169.254', '10.0.0.1'],
    ['0.0.0.0', '10.0.0.1'],
    ['8.8.8.8', '8.8.8.8'],
    ['2001:db8::1', '2001:db8::1'],
    ['0.0.0.0', '0.0.0.0'],
    ['224.0.0.1', '224.0.0.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['::', '::'],
    ['ff02::1', 'ff02::1'],
    ['', ''],
    ['::ffff:10.0.0.2', '10.0.0.1'],
    ['10.0.0.1', ''],
  ])('is not %s for a device with %j', (address, own) => {
    expect(isOnDevice(address, own)).toBe(false);
  });
});
