import { describe, expect, it } from '@jest/globals';
import type { NetworkInterfaceInfo } from 'node:os';
import { targetOf, TargetRefused } from './target.ts';

const interfaces = () => ({
  eth0: [{ address: '192.168.7.9' }, { address: 'fe80::1' }] as NetworkInterfaceInfo[],
});
const kindOf = (authority: string): string => {
  try {
    targetOf(authority, interfaces);
    return 'allowed';
  } catch (error) {
    return error instanceof TargetRefused ? error.kind : 'broken';
  }
};

describe('the target of a connection', () => {
  it('is loopback, by address or by name', () => {
    expect(targetOf('localhost:5900', interfaces)).toEqual({ addresses: ['127.0.0.1', '::1'], port: 5900 });
    expect(targetOf('127.8.9.10:1', interfaces)).toEqual({ addresses: ['127.8.9.10'], port: 1 });
    expect(targetOf('[::1]:65535', interfaces)).toEqual({ addresses: ['::1'], port: 65_535 });
  });

  it("is one of the device's own addresses", () => {
    expect(targetOf('192.168.7.9:80', interfaces).addresses).toEqual(['192.168.7.9']);
    expect(targetOf('[fe80::1]:80', interfaces).addresses).toEqual(['fe80::1']);
    expect(kindOf('[::ffff:192.168.7.9]:80')).toBe('allowed');
  });

  it.each([
    ...['192.168.7.10:80', '8.8.8.8:53', '0.0.0.0:80', '[::]:80', '169.254.169.254:80', '[::ffff:8.8.8.8]:80'],
    ...['example.org:80', 'localhost.example.org:80', '2130706433:80', '0x7f000001:80', '127.1:80'],
  ])('is not %s', (authority) => {
    expect(kindOf(authority)).toBe('not_allowed');
  });

  it.each([
    '',
    ':80',
    '127.0.0.1',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '::1:80',
    '[]:80',
    'a b',
    '127.0.0.1:80:80',
    '[::1]',
  ])('is refused when it is %p', (authority) => {
    expect(kindOf(authority)).toBe('invalid');
  });
});
