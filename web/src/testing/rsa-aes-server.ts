import {
  constants,
  createCipheriv,
  createHash,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { DesktopChannel } from '../sockets/desktop/channel.ts';

const SIZE = 256;
const padding = constants.RSA_PKCS1_PADDING;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 8 * SIZE });

/** Each message of the handshake, as it can be changed before it is sent. */
export type Step = 'list' | 'key' | 'random' | 'hash' | 'asked' | 'result';

interface ServerOptions {
  types: number[];
  username?: string;
  password: string;
  version?: string;
  /** How many bytes come at a time; all, when it is not said. */
  piece?: number;
  alter?: (step: Step, bytes: Buffer) => Buffer;
  /** Changes what was encrypted. */
  alterSealed?: (bytes: Buffer) => Buffer;
}

/** The server's side of RSA-AES, by Node's OpenSSL: shares nothing with the code of the console. */
export class RsaAesServer {
  readonly channel = new DesktopChannel({ send: (bytes) => this.take(bytes), closed: () => undefined });
  /** The type of security that was chosen. */
  chosen: number | undefined;
  /** What came when it had let in, as it was meant and message by message. */
  heard: Buffer[] = [];
  /** All that came, as it was on the wire. */
  wire = Buffer.alloc(0);
  signedInAs: string | undefined;
  readonly publicKey = wireKey(publicKey);
  private unread = Buffer.alloc(0);
  private wake: (() => void) | null = null;
  private listener: (() => void) | null = null;
  private keys = { sent: Buffer.alloc(0), received: Buffer.alloc(0) };
  private readonly counts = { sent: 0n, received: 0n };

  constructor(private readonly options: ServerOptions) {}

  /** Speaks until it has let in, or has not, and then listens. */
  async run(): Promise<void> {
    const { types, version = 'RFB 003.008\n' } = this.options;
    this.emit(Buffer.from(version));
    await this.read(12);
    this.emit(this.altered('list', Buffer.from([types.length, ...types])));
    this.chosen = (await this.read(1))[0];
    if (this.chosen !== 5 && this.chosen !== 129) return;
    await this.exchange(this.chosen === 5 ? 'sha1' : 'sha256', this.chosen === 5 ? 16 : 32);
    const { username, password } = this.options;
    this.seal(this.altered('asked', Buffer.from([username === undefined ? 2 : 1])));
    const said = await this.open();
    const end = 1 + said.readUInt8();
    const [name, word] = [said.subarray(1, end).toString(), said.subarray(end + 1).toString()];
    if (said.readUInt8(end) !== said.length - end - 1) throw new Error('The length of the password is wrong.');
    this.signedInAs = `${name}:${word}`;
    const reason = Buffer.from('Wrong words');
    const right = name === (username ?? '') && word === password;
    const refusal = Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, reason.length]), reason]);
    this.seal(this.altered('result', right ? Buffer.alloc(4) : refusal));
    for (;;) {
      this.heard.push(await this.open());
      this.listener?.();
    }
  }

  /** Waits for so many bytes of what was meant. */
  async hear(size: number): Promise<Buffer> {
    while (Buffer.concat(this.heard).length < size) await new Promise<void>((wake) => (this.listener = wake));
    return Buffer.concat(this.heard);
  }

  /** Sends what is to be encrypted, as one message. */
  seal(text: Buffer): void {
    this.emit(this.sealed(text));
  }

  /** One encrypted message, not sent yet. */
  sealed(text: Buffer): Buffer {
    const length = u16(text.length);
    const sealed = Buffer.concat([length, eax(this.keys.sent, nonce(this.counts.sent++), length, text)]);
    return this.options.alterSealed?.(sealed) ?? sealed;
  }

  emit(bytes: Buffer): void {
    const piece = this.options.piece ?? bytes.length;
    for (let from = 0; from < bytes.length; from += piece)
      this.channel.receive(new Uint8Array(bytes.subarray(from, from + piece)).buffer);
  }

  private async exchange(hash: 'sha1' | 'sha256', keyBytes: number): Promise<void> {
    this.emit(this.altered('key', this.publicKey));
    const clientKey = await this.read(4 + 2 * SIZE);
    const n = clientKey.subarray(4, 4 + SIZE).toString('base64url');
    const client = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
    const length = (await this.read(2)).readUInt16BE();
    const clientRandom = privateDecrypt({ key: privateKey, padding }, await this.read(length));
    const random = randomBytes(keyBytes);
    const encrypted = publicEncrypt({ key: client, padding }, this.altered('random', random));
    this.emit(Buffer.concat([u16(encrypted.length), encrypted]));
    const digest = (...parts: Buffer[]) => createHash(hash).update(Buffer.concat(parts)).digest();
    this.keys = {
      sent: digest(clientRandom, random).subarray(0, keyBytes),
      received: digest(random, clientRandom).subarray(0, keyBytes),
    };
    this.seal(this.altered('hash', digest(this.publicKey, clientKey)));
    if (!(await this.open()).equals(digest(clientKey, this.publicKey))) throw new Error("The client's hash is wrong.");
  }

  private altered(step: Step, bytes: Buffer): Buffer {
    return this.options.alter?.(step, bytes) ?? bytes;
  }

  private async open(): Promise<Buffer> {
    const length = await this.read(2);
    const sealed = await this.read(length.readUInt16BE() + 16);
    const count = nonce(this.counts.received++);
    // Counter mode is its own reverse.
    const text = eax(this.keys.received, count, length, sealed.subarray(0, -16)).subarray(0, -16);
    if (!eax(this.keys.received, count, length, text).equals(sealed)) throw new Error('A message was changed.');
    return text;
  }

  private take(bytes: Uint8Array): void {
    this.wire = Buffer.concat([this.wire, bytes]);
    this.unread = Buffer.concat([this.unread, bytes]);
    this.wake?.();
  }

  private async read(size: number): Promise<Buffer> {
    while (this.unread.length < size) await new Promise<void>((wake) => (this.wake = wake));
    const read = this.unread.subarray(0, size);
    this.unread = this.unread.subarray(size);
    return read;
  }
}

/** Length in bits, modulus and exponent. */
function wireKey(key: KeyObject): Buffer {
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const [modulus, exponent] = [Buffer.from(n, 'base64url'), Buffer.from(e, 'base64url')];
  const length = Buffer.alloc(4);
  length.writeUInt32BE(8 * SIZE);
  return Buffer.concat([length, modulus, Buffer.alloc(SIZE - exponent.length), exponent]);
}

function u16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

function nonce(count: bigint): Buffer {
  return Buffer.from(count.toString(16).padStart(32, '0'), 'hex').reverse();
}

/** EAX of AES: the encrypted text with its tag. */
function eax(key: Buffer, count: Buffer, header: Buffer, text: Buffer): Buffer {
  const start = omac(key, 0, count);
  const encrypted = createCipheriv(`aes-${8 * key.length}-ctr`, key, start).update(text);
  return Buffer.concat([encrypted, xor(xor(start, omac(key, 1, header)), omac(key, 2, encrypted))]);
}

/** CMAC (RFC 4493) of a text behind a block that says what it is of. */
function omac(key: Buffer, input: number, text: Buffer): Buffer {
  const cbc = (bytes: Buffer) =>
    createCipheriv(`aes-${8 * key.length}-cbc`, key, Buffer.alloc(16))
      .setAutoPadding(false)
      .update(bytes);
  const once = doubled(cbc(Buffer.alloc(16)));
  const all = Buffer.concat([Buffer.alloc(15), Buffer.from([input]), text]);
  const whole = all.length % 16 === 0;
  const filled = whole ? all : Buffer.concat([all, Buffer.from([0x80]), Buffer.alloc(15 - (all.length % 16))]);
  const last = xor(filled.subarray(-16), whole ? once : doubled(once));
  return cbc(Buffer.concat([filled.subarray(0, -16), last])).subarray(-16);
}

function doubled(block: Buffer): Buffer {
  const twice = BigInt(`0x${block.toString('hex')}`) << 1n;
  const reduced = (twice & ((1n << 128n) - 1n)) ^ (twice >> 128n === 1n ? 0x87n : 0n);
  return Buffer.from(reduced.toString(16).padStart(32, '0'), 'hex');
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, at) => byte ^ (b[at] ?? 0)));
}
