import { choiceOfNoVnc, LIST_OF_NONE, rsaAesAmong } from '../../../../sockets/desktop/rsa-aes/types.ts';

/** The VNC server encrypted the whole session, so that its bytes mean nothing. */
export class EncryptedSession extends Error {}

const VERSION_BYTES = 12;
/** No message of a sign-in is longer. */
const MOST_BYTES = 131_072;
/** Versions that noVNC answers with 3.8, in which the client chooses the security type and always gets its result. */
const VERSIONS_OF_3_8: readonly string[] = ['003.008', '003.889', '004.000', '004.001', '005.000'];

const [RA2NE, APPLE] = [6, 30] as const;
/** Lengths of hash and subtype as RSA-AES seals them: a length, the content, a tag. */
const [SEALED_HASH, SEALED_SUBTYPE] = [2 + 20 + 16, 2 + 1 + 16] as const;

/** Asks for a number of bytes, and gets them. */
type Parser = Generator<number, void, Uint8Array>;

/**
 * What noVNC is to see of the start of a session (RFC 6143, section 7.1). It can repeat each sign-in whose server does not depend on the
 * client's answer. The others are left out, and it sees a server without a sign-in. Bytes may be split anywhere.
 */
export class Opening {
  private readonly seen: Uint8Array[] = [];
  private readonly parser: Parser;
  private held: Uint8Array = new Uint8Array();
  private wanted: number;
  private isDone = false;

  constructor() {
    this.parser = open((bytes) => this.seen.push(bytes));
    this.wanted = this.parser.next().value ?? 0;
  }

  /** @throws EncryptedSession */
  pass(bytes: Uint8Array): Uint8Array[] {
    if (this.isDone) return [bytes];
    let rest = this.held.length > 0 ? joined(this.held, bytes) : bytes;
    while (!this.isDone && rest.length >= this.wanted) {
      const taken = rest.slice(0, this.wanted);
      rest = rest.subarray(this.wanted);
      const { value, done = false } = this.parser.next(taken);
      this.wanted = value ?? 0;
      this.isDone = done;
      if (this.wanted > MOST_BYTES) throw new RangeError(`a message of ${this.wanted} bytes`);
    }
    this.held = this.isDone ? new Uint8Array() : rest.slice();
    const passed = this.seen.splice(0);
    return this.isDone && rest.length > 0 ? [...passed, rest] : passed;
  }
}

function* open(show: (bytes: Uint8Array) => void): Parser {
  const version = yield VERSION_BYTES;
  show(version);
  if (!VERSIONS_OF_3_8.includes(String.fromCharCode(...version.subarray(4, 11)))) return;
  const count = yield 1;
  const types = yield count[0] ?? 0;
  if (rsaAesAmong(types)) throw new EncryptedSession();
  const choice = choiceOfNoVnc(types);
  if (choice !== RA2NE && choice !== APPLE) return show(joined(count, types));
  yield* choice === RA2NE ? ra2ne() : apple();
  show(LIST_OF_NONE);
}

/** RSA-AES that encrypts the sign-in alone: the keys were made for this session. */
function* ra2ne(): Parser {
  const bits = yield 4;
  yield 2 * Math.ceil(number(bits) / 8);
  const length = yield 2;
  yield number(length) + SEALED_HASH + SEALED_SUBTYPE;
}

/** Apple's sign-in, during which noVNC takes nothing else: it computes its keys aside. */
function* apple(): Parser {
  const head = yield 4;
  yield 2 * number(head.subarray(2));
}

const number = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}
