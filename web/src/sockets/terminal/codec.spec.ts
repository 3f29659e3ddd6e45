import { describe, expect, it } from '@jest/globals';
import {
  decodeExit,
  decodeOutput,
  decodeRefusal,
  decodeRegistered,
  encodeBinaryString,
  encodeInput,
  encodeText,
  registerMessage,
} from './codec.ts';

describe('the terminal codec', () => {
  it('takes output as bytes, whatever carries them', () => {
    const bytes = new Uint8Array([0xe2, 0x82]);
    expect(decodeOutput({ output: bytes.buffer, offset: 7 })).toEqual({ bytes, offset: 7 });
    expect(decodeOutput({ output: new Uint8Array([0, 0xe2, 0x82]).subarray(1), offset: 0 })).toEqual({
      bytes,
      offset: 0,
    });
    expect(decodeOutput({ output: '€' })).toEqual({ bytes: encodeText('€'), offset: null });
  });

  it('refuses what is no output', () => {
    expect(decodeOutput(null)).toBeNull();
    expect(decodeOutput({ output: 7 })).toBeNull();
    expect(decodeOutput({ output: 'x', offset: -1 })).toEqual({ bytes: encodeText('x'), offset: null });
  });

  it('reads the answer to register, and takes anything else as a refusal', () => {
    expect(decodeRegistered({ success: true, session: 's', offset: 3, typed: 7 })).toEqual({
      success: true,
      session: 's',
      offset: 3,
      typed: 7,
      error: '',
      code: '',
    });
    expect(decodeRegistered('nonsense')).toEqual({
      success: false,
      session: '',
      offset: 0,
      typed: null,
      error: '',
      code: '',
    });
  });

  it('reads how the shell ended', () => {
    expect(decodeExit({ code: 3, signal: '' })).toEqual({ code: 3, signal: null });
    expect(decodeExit({ code: 0, signal: 'SIGKILL' })).toEqual({ code: 0, signal: 'SIGKILL' });
  });

  it('passes on why the hub refused, and no jargon of the transport', () => {
    const refusal = Object.assign(new Error('Not allowed: The console of pump is disabled.'), {
      data: { code: 'permission_denied' },
    });
    expect(decodeRefusal(refusal)).toBe('The console of pump is disabled.');
    expect(decodeRefusal(new Error('websocket error'))).toBe('');
  });

  it('asks for bytes and promises to say what it has drawn', () => {
    const ids = { device: 'agent-1', socket: 'browser-1', writer: 'screen-1' };
    const first = registerMessage(ids, { cols: 80, rows: 24 }, null, { join: true });
    expect(first).toEqual({
      client_sid: 'agent-1',
      browser_sid: 'browser-1',
      cols: 80,
      rows: 24,
      encoding: 'binary',
      text: true,
      acks: true,
      writer: 'screen-1',
      join: true,
    });
    const asking = { join: true, ask: 'reader' } as const;
    expect(registerMessage(ids, { cols: 80, rows: 24 }, { session: 's', offset: 9 }, asking)).toEqual({
      ...first,
      ask: 'reader',
      session: 's',
      offset: 9,
    });
  });

  it('sends what is typed as text, so that it is one frame, and all else as bytes', () => {
    expect(encodeInput(encodeText('ä漢🦊\ufeff\x1b[A'))).toBe('ä漢🦊\ufeff\x1b[A');
    for (const bytes of [encodeText('漢').slice(0, 2), encodeText('x'.repeat(257))]) {
      expect(encodeInput(bytes)).toBe(bytes);
    }
  });

  it('keeps bytes that are no text', () => {
    expect([...encodeBinaryString('\x1b[M\xff')]).toEqual([0x1b, 0x5b, 0x4d, 0xff]);
  });
});
