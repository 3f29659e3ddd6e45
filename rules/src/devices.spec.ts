import { describe, expect, it } from '@jest/globals';
import { customName, httpAddress, httpPort, vncPort } from './devices.ts';

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

  it('is a port of a VNC server, or its display', () => {
    expect([vncPort.parse('5900'), vncPort.parse(5901), vncPort.parse(':1'), vncPort.parse(' :0 ')]).toEqual([
      5900, 5901, 5901, 5900,
    ]);
    for (const port of ['', ':', ':-1', ':100', '1:', 'x', 0, 65_536])
      expect(message(vncPort.safeParse(port))).toBe('Please enter a valid port or display, such as 5900 or :1');
  });

  it('is an address, by default its loopback', () => {
    expect([httpAddress.parse(undefined), httpAddress.parse('::1')]).toEqual(['127.0.0.1', '::1']);
    for (const address of ['localhost', '127.0.0.1:80', '1.2.3', 'fe80::1%eth0', ''])
      expect(message(httpAddress.safeParse(address))).toBe('Please enter a valid IP address');
  });
});
