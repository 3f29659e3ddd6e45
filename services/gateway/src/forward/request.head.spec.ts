import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { passedHeaders } from './request.head.ts';
import { upgradeKind } from './routes.ts';

const PASSED = { clientAddress: '203.0.113.9', proto: 'https', requestId: 'request-1' };

function request(headers: [string, string][]): IncomingMessage {
  const upgrade = headers.find(([name]) => name.toLowerCase() === 'upgrade')?.[1];
  return { rawHeaders: headers.flat(), headers: { upgrade } } as unknown as IncomingMessage;
}

describe('the head of a passed request', () => {
  it('keeps what the client says of itself and replaces what only a gateway may say', () => {
    const lines = passedHeaders(
      request([
        ['Host', 'hub.example'],
        ['connection', 'keep-alive, Upgrade'],
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Key', 'abc'],
        ['X-FORWARDED-FOR', '6.6.6.6'],
        ['Forwarded', 'for=6.6.6.6'],
        ['Cookie', 'warren=1'],
        ['Transfer-Encoding', 'chunked'],
        ['warren-device', 'other'],
      ]),
      { ...PASSED, deviceId: 'device-1' },
    );
    expect(lines).toEqual([
      ...['Host', 'hub.example', 'Sec-WebSocket-Key', 'abc'],
      ...['Connection', 'Upgrade', 'Upgrade', 'websocket'],
      ...['X-Forwarded-For', '203.0.113.9', 'X-Forwarded-Proto', 'https'],
      ...['X-Request-Id', 'request-1', 'Warren-Device', 'device-1'],
    ]);
  });
});

describe('the kind of an upgrade', () => {
  it('is told by the exact path', () => {
    expect(['/socketsio', '/socketsio/', '/agent/connect'].map(upgradeKind)).toEqual(['socket', 'socket', 'agent']);
    for (const path of ['/', '/socketsio/x', '/agent', '/agent/connect/', 'constructor', '/__proto__']) {
      expect(upgradeKind(path)).toBeUndefined();
    }
  });
});
