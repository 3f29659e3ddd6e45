import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { tunnelsConfig } from './config.ts';
import { ClientAddress } from './client.address.ts';

const config = tunnelsConfig.parse({
  NATS_URL: 'nats://x:1',
  REDIS_URL: 'redis://x:1',
  TRUSTED_HOPS: 'loopback,10.0.0.0/8',
});
const from = (remoteAddress: string, forwarded?: string): string =>
  new ClientAddress(config).of({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    connection: { remoteAddress },
    socket: { remoteAddress },
  } as unknown as IncomingMessage);

describe('the address of a client', () => {
  it('is what a gateway says', () => {
    expect(from('127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
    expect(from('::ffff:10.1.2.3', '2001:db8::1')).toBe('2001:db8::1');
    expect(from('10.0.0.1', '10.0.0.77')).toBe('10.0.0.77');
  });

  it('is the last hop when that is no gateway, whatever it says', () => {
    expect(from('198.51.100.4', '203.0.113.9')).toBe('198.51.100.4');
  });

  it('is never further away than one hop', () => {
    expect(from('127.0.0.1', '6.6.6.6, 127.0.0.1')).toBe('127.0.0.1');
  });
});
