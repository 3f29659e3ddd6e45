import { describe, expect, it } from '@jest/globals';
import { customName, httpAddress, httpPort } from './devices.ts';

const message = (result: { error?: { issues: { message: string }[] } }) => result.error?.issues[0]?.message;

describe('what is asked of a device', () => {
  it('is a name that can be read', () => {
    expect(customName.parse('  Lobby-Kiosk No. 2, Süd ')).toBe('Lobby-Kiosk No. 2, Süd');
    for (const name of ['', '   ', 'a\u202eb', 'a\nb', undefined, 7])
      expect(message(customName.safeParse(name))).toBe('Please enter a valid hostname');
    expect(message(customName.safeParse('x'.repeat(65)))).toBe('At most 64 characters.');
  });

  it('is a port, typed or not', () => {
    expect([httpPort.parse('1880'), httpPort.parse(65_535), httpPort.parse(' 80 ')]).toEqual([1880, 65_535, 80]);
    for (const port of ['', ' ', 0, 65_536, '65536', -1, 1.5, '1e3', '0x50', null, true, undefined])
      expect(message(httpPort.safeParse(port))).toBe('Please enter a valid HTTP port');
  });

  it('is an address, by default its loopback', () => {
    expect([httpAddress.parse(undefined), httpAddress.parse('::1')]).toEqual(['127.0.0.1', '::1']);
    for (const address of ['localhost', '127.0.0.1:80', '1.2.3', 'fe80::1%eth0', ''])
      expect(message(httpAddress.safeParse(address))).toBe('Please enter a valid IP address');
  });
});
