import { describe, expect, it } from '@jest/globals';
import { control, isControl, isJoined } from './relay.ts';

describe("MeshCentral's relay", () => {
  it('tells that both ends are there by one message alone', () => {
    expect(['c', 'cr', 'cat', ''].map((text) => isJoined(Buffer.from(text)))).toEqual([true, true, false, false]);
  });

  it('carries its control messages between the output', () => {
    const options = Buffer.from(control('options', { cols: 80, rows: 24 }));
    expect(isControl(options, false)).toBe(true);
    expect(isControl(options, true)).toBe(false);
    expect(isControl(Buffer.from('{"ctrl'), false)).toBe(false);
    expect(isControl(Buffer.from('$ '), false)).toBe(false);
  });
});
