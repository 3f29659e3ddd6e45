import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { passedLines } from './passed.lines.ts';

const request = {
  rawHeaders: [
    ...['Host', 'hub.example', 'connection', 'keep-alive, Upgrade', 'Upgrade', 'websocket'],
    ...['Sec-WebSocket-Key', 'abc', 'X-FORWARDED-FOR', '6.6.6.6', 'Forwarded', 'for=6.6.6.6', 'X-Real-IP', '6.6.6.6'],
    ...['Cookie', 'warren=1', 'Transfer-Encoding', 'chunked', 'warren-device', 'other', 'Warren-Passed', '1'],
    ...['Warren-Agent-Version', '1.2.3'],
  ],
} as unknown as IncomingMessage;

describe('the header lines of a passed request', () => {
  it('keep what the client says of itself, and replace what only Warren may say', () => {
    expect(passedLines(request, '203.0.113.9', false)).toEqual([
      ...['Host', 'hub.example', 'Sec-WebSocket-Key', 'abc', 'Warren-Agent-Version', '1.2.3'],
      ...['X-Forwarded-For', '203.0.113.9'],
    ]);
  });

  it('keep cookies for the host of a device only', () => {
    const lines = passedLines(request, '203.0.113.9', true);
    expect(lines).toContain('warren=1');
    expect(lines).not.toContain('Warren-Agent-Version');
  });
});
