import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { parseDial } from './dial.ts';

const DEVICE = '0199a000-0000-7000-8000-000000000001';

function token(header: object): string {
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.c2ln`;
}

function request(headers: Record<string, string | undefined>): IncomingMessage {
  const given = {
    upgrade: 'warren-h2',
    'warren-agent-version': '1.2.3',
    authorization: `Bearer ${token({ alg: 'EdDSA', kid: DEVICE })}`,
  };
  return { headers: { ...given, ...headers } } as unknown as IncomingMessage;
}

describe('a dial', () => {
  it('says who dials and what carries the link', () => {
    expect(parseDial(request({}))).toMatchObject({ carrier: 'warren-h2', deviceId: DEVICE, agentVersion: '1.2.3' });
    expect(parseDial(request({ upgrade: 'WebSocket' })).carrier).toBe('websocket');
    expect([{}, { 'warren-pins': '1' }].map((one) => parseDial(request(one)).hasPins)).toEqual([false, true]);
  });

  it.each([
    ['no version', { 'warren-agent-version': undefined }, 'invalid_argument'],
    ['a version that is none', { 'warren-agent-version': 'new' }, 'invalid_argument'],
    ['another upgrade', { upgrade: 'h2c' }, 'invalid_argument'],
    ['no token', { authorization: undefined }, 'unauthenticated'],
    ['another scheme', { authorization: 'Basic abc' }, 'unauthenticated'],
    [
      'a token without algorithm',
      { authorization: `Bearer ${token({ alg: 'none', kid: DEVICE })}` },
      'unauthenticated',
    ],
    [
      'a token of a shared secret',
      { authorization: `Bearer ${token({ alg: 'HS256', kid: DEVICE })}` },
      'unauthenticated',
    ],
    [
      'a device id that is none',
      { authorization: `Bearer ${token({ alg: 'EdDSA', kid: '../1' })}` },
      'unauthenticated',
    ],
    ['a token that is too long', { authorization: `Bearer ${'x'.repeat(3000)}` }, 'unauthenticated'],
  ])('is refused with %s', (_why, headers, code) => {
    expect(() => parseDial(request(headers))).toThrow(expect.objectContaining({ code }));
  });
});
