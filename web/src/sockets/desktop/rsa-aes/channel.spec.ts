import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { RsaAesServer } from '../../../testing/rsa-aes-server.ts';
import type { Step } from '../../../testing/rsa-aes-server.ts';
import type { CredentialKind, Credentials } from '../types.ts';
import { RsaAesChannel } from './channel.ts';

type Options = ConstructorParameters<typeof RsaAesServer>[0];

const STARTED = 'RFB 003.008\n';

/** Answers as noVNC does: the version, the choice, ClientInit; records its input. */
function setUp(options: Options, given: Credentials = {}) {
  const server = new RsaAesServer(options);
  const asked: CredentialKind[][] = [];
  const keys: Buffer[] = [];
  const failures: string[] = [];
  const failure = Promise.withResolvers<string>();
  const channel = new RsaAesChannel(
    server.channel,
    {
      verify: (key) => {
        keys.push(Buffer.from(key));
        channel.approveServer();
      },
      credentials: (kinds) => {
        asked.push(kinds);
        channel.sendCredentials({ username: 'pi', password: 'correct1' });
      },
      failed: (problem, reason) => {
        failures.push(`${problem}: ${reason}`);
        failure.resolve(failures[0] ?? '');
        channel.close();
      },
    },
    given,
  );
  // noVNC sends slices of one of its buffers.
  const send = (bytes: Buffer) => channel.send(new Uint8Array(bytes));
  let got = Buffer.alloc(0);
  const waiting: { size: number; done: () => void }[] = [];
  const answers = [
    { at: 12, answer: Buffer.from(options.version ?? STARTED) },
    { at: 14, answer: Buffer.from([1]) },
    { at: 18, answer: Buffer.from([1]) },
  ];
  channel.onmessage = ({ data }) => {
    got = Buffer.concat([got, Buffer.from(data as ArrayBuffer)]);
    while (answers[0] && got.length >= answers[0].at) send(answers.shift()!.answer);
    for (const { size, done } of waiting) if (got.length >= size) done();
  };
  const until = (size: number) => new Promise<void>((done) => void waiting.push({ size, done }));
  return { server, channel, asked, keys, failures, failure, until, send, got: () => got, over: server.run() };
}

const shown = (t: ReturnType<typeof setUp>) => t.got().subarray(STARTED.length);
/** Version, security type None, and success. */
const LET_IN = 18;

describe.each([5, 129])('RSA-AES of type %i', (type) => {
  it.each([undefined, 1, 7])(
    'signs in by a password and shows a server that asks for nothing, %p at a time',
    async (piece) => {
      const t = setUp({ types: [19, type], password: 'correct1', ...(piece && { piece }) });
      await t.until(LET_IN);
      expect(t.server.chosen).toBe(type);
      expect([...shown(t)]).toEqual([1, 1, 0, 0, 0, 0]);
      expect([t.asked, t.server.signedInAs, t.failures]).toEqual([[['password']], ':correct1', []]);
      expect(t.keys).toEqual([t.server.publicKey]);
    },
  );

  it('signs in by a name and a password that are known already', async () => {
    const t = setUp({ types: [type], username: 'pi', password: 'geheim ✓' }, { username: 'pi', password: 'geheim ✓' });
    await t.until(LET_IN);
    expect([t.asked, t.server.signedInAs]).toEqual([[], 'pi:geheim ✓']);
  });

  it('hands on why it was not let in', async () => {
    const t = setUp({ types: [type], username: 'pi', password: 'another' });
    const reason = 'Wrong words';
    await t.until(LET_IN + 4 + reason.length);
    expect(t.asked).toEqual([['username', 'password']]);
    expect(shown(t).subarray(2, 6).readUInt32BE()).toBe(1);
    expect(
      t
        .got()
        .subarray(LET_IN + 4)
        .toString(),
    ).toBe(reason);
  });

  it('carries all that follows encrypted, in order, both ways', async () => {
    const t = setUp({ types: [type], password: 'correct1' });
    await t.until(LET_IN);
    const picture = randomBytes(170_000);
    // The longest possible message, an empty one, and those of TigerVNC.
    const cuts = [0, 1, 65_536, 65_536, 73_728, 120_000, 170_000];
    const messages = cuts.slice(1).map((end, index) => t.server.sealed(picture.subarray(cuts[index], end)));
    const wire = Buffer.concat(messages);
    for (let at = 0; at < wire.length; at += 9_001) t.server.emit(wire.subarray(at, at + 9_001));
    expect(t.got().subarray(LET_IN)).toEqual(picture);
    // ClientInit came first.
    expect(await t.server.hear(1)).toEqual(Buffer.from([1]));
    const typed = randomBytes(20_000);
    const before = t.server.wire.length;
    t.send(typed);
    expect(await t.server.hear(1 + typed.length)).toEqual(Buffer.concat([Buffer.from([1]), typed]));
    expect(t.server.heard.map(({ length }) => length)).toEqual([1, 8_192, 8_192, 3_616]);
    expect(t.server.wire.length - before).toBe(typed.length + 3 * 18);
    expect(t.server.wire.subarray(before).includes(typed.subarray(0, 16))).toBe(false);
  });

  const zeroed = (from: number, to: number) => (bytes: Buffer) => Buffer.from(bytes).fill(0, from, to);
  const bits = (length: number) => (bytes: Buffer) => {
    const key = Buffer.from(bytes);
    key.writeUInt32BE(length);
    return key;
  };
  it.each<[string, Step, (bytes: Buffer) => Buffer, RegExp]>([
    ['a short key', 'key', bits(1_023), /1023 bits/],
    ['a long key', 'key', bits(8_193), /8193 bits/],
    ['a modulus that is shorter than it says', 'key', zeroed(4, 5), /sent an invalid key/],
    ['an even modulus', 'key', zeroed(259, 260), /sent an invalid key/],
    ['an exponent of nothing', 'key', zeroed(260, 516), /sent an invalid key/],
    ['a huge exponent', 'key', (bytes) => Buffer.from(bytes).fill(1, 260, 261), /sent an invalid key/],
    ['a random number that is too short', 'random', (bytes) => bytes.subarray(1), /random number/],
    ['the hash of other keys', 'hash', zeroed(0, 1), /keys were changed/],
    ['an unknown question', 'asked', () => Buffer.from([3]), /number 3/],
  ])('ends with the reason at %s', async (_name, step, change, reason) => {
    const alter = (at: Step, bytes: Buffer) => (at === step ? change(bytes) : bytes);
    const t = setUp({ types: [type], password: 'correct1', alter });
    expect(await t.failure.promise).toMatch(reason);
    expect(t.failures.map((failure) => failure.split(':')[0])).toEqual(['protocol']);
    expect([t.got().toString(), t.server.signedInAs]).toEqual([STARTED, undefined]);
  });

  it('ends at an encrypted message that was changed, and hands on nothing of it', async () => {
    const t = setUp({ types: [type], password: 'correct1' });
    await t.until(LET_IN);
    const sealed = t.server.sealed(Buffer.from('picture'));
    sealed.writeUInt8(sealed.readUInt8(4) ^ 1, 4);
    t.server.emit(sealed);
    t.server.emit(t.server.sealed(Buffer.from('more')));
    expect(await t.failure.promise).toMatch(/^protocol: .*changed on the way/);
    expect(t.got().length).toBe(LET_IN);
  });

  it('ends at a message that came twice', async () => {
    const t = setUp({ types: [type], password: 'correct1' });
    await t.until(LET_IN);
    const sealed = t.server.sealed(Buffer.from('once'));
    t.server.emit(Buffer.concat([sealed, sealed]));
    expect(await t.failure.promise).toMatch(/changed on the way/);
  });

  it('ends when a name is longer than can be sent, as not let in', async () => {
    const t = setUp({ types: [type], username: 'pi', password: 'x' }, { username: 'é'.repeat(128), password: 'x' });
    expect(await t.failure.promise).toMatch(/^security: .*255 bytes/);
  });

  it('keeps little of a server that speaks out of turn', async () => {
    const t = setUp({
      types: [type],
      password: 'correct1',
      alter: (step, bytes) => (step === 'key' ? randomBytes(70_000) : bytes),
    });
    expect(await t.failure.promise).toMatch(/more than was asked for/);
  });
});

describe('a server that noVNC knows a way into', () => {
  it.each([
    ['VncAuth', [2]],
    ['RA2ne, and RA2 after it', [6, 5]],
    ['RA2, and VncAuth after it', [5, 129, 2]],
    ['VeNCrypt alone', [19]],
    ['nothing that anybody knows', [13, 133]],
    ['no type at all', []],
  ])('is left to it: %s', async (_name, types) => {
    const t = setUp({ types, password: 'correct1' });
    const list = [types.length, ...types];
    await t.until(STARTED.length + list.length);
    expect([...shown(t)]).toEqual(list);
    t.server.emit(Buffer.from('as it is'));
    expect(shown(t).subarray(list.length).toString()).toBe('as it is');
    const before = t.server.wire.length;
    t.send(Buffer.from('untouched'));
    expect(t.server.wire.subarray(before).toString()).toBe('untouched');
    expect([t.keys, t.asked, t.failures]).toEqual([[], [], []]);
  });

  it('is left to it when noVNC answers with an older version', async () => {
    const t = setUp({ types: [5], password: 'correct1', version: 'RFB 003.003\n' });
    await t.until(STARTED.length + 2);
    expect([...shown(t)]).toEqual([1, 5]);
  });

  it('closes as its channel does', async () => {
    const t = setUp({ types: [129], password: 'correct1' });
    await t.until(LET_IN);
    const closed = new Promise((done) => (t.channel.onclose = done));
    t.server.channel.end();
    await closed;
    expect([t.channel.readyState, t.failures]).toEqual(['closed', []]);
  });
});
