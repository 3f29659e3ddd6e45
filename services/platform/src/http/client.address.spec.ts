import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { clientAddressOf, plainAddress } from './client.address.ts';

describe('an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['::ffff:1', '::255.255.0.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['unknown', ''],
    ['203.0.113', ''],
    ['203.0.113.7:443', ''],
    ['', ''],
    [undefined, ''],
  ])('%s is written as %j', (address, text) => expect(plainAddress(address)).toBe(text));
});

describe("a client's address", () => {
  const of = (remoteAddress: string | undefined, forwarded?: string) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const request = { headers, connection: { remoteAddress }, socket: { remoteAddress } };
    return clientAddressOf(request as unknown as IncomingMessage, (address) => address.endsWith('127.0.0.1'));
  };

  it('is the one that a trusted hop reports', () => {
    expect(of('127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
    expect(of('::ffff:127.0.0.1', '6.6.6.6, ::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(of('198.51.100.4', '203.0.113.9')).toBe('198.51.100.4');
  });

  it('is empty if the hop reports none, or the connection is gone', () => {
    expect(of('127.0.0.1', 'unknown')).toBe('');
    expect(of(undefined)).toBe('');
  });
});
