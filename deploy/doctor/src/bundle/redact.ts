import { createHmac, randomBytes } from 'node:crypto';
import { isIP, isIPv6 } from 'node:net';

const GONE = '[redacted]';

/** Names whose values are secrets, in headers, JSON, queries and assignments; `…_FILE` names a path. */
const NAME =
  'password|passwd|passphrase|secret|token|ticket|credentials?|api[_-]?key|private[_-]?key|(?:caller|session|access|signing|encryption|account)[_-]?key|signature|assertion|samlresponse|samlrequest|samlart|relaystate';
const NAMED = `[\\w.-]{0,64}(?:${NAME})(?:[_-](?!file\\b)\\w{1,32})*`;
const quotedAfter = (name: string) => new RegExp(`(\\b${name}["']?\\s*[:=]\\s*)"(?:\\\\.|[^"\\\\\\n])*"`, 'gi');
const escapedAfter = (name: string) => new RegExp(`(\\b${name}\\\\+"\\s*:\\s*)\\\\+"(?:(?!\\\\+")[^\\n])*\\\\+"`, 'gi');

const HEADER = '(?:proxy-)?authorization|(?:set-)?cookie';
const RULES: [RegExp, string][] = [
  // Complete, with line breaks escaped in JSON, and with Compose's prefix of each line.
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, GONE],
  [/<((?:\w{1,16}:)?(?:Response|Assertion|EncryptedAssertion|LogoutRequest))[\s>\\][\s\S]*?<\/\1>/g, GONE],
  [/<(?:\w{1,16}:)?(?:Response|Assertion|EncryptedAssertion)\s[^\n]*/g, GONE],
  [new RegExp(`(\\b(?:${HEADER})["']?\\s*[:=]\\s*)(?:"(?:\\\\.|[^"\\\\\\n])*"|\\[[^\\]\\n]*\\])`, 'gi'), `$1"${GONE}"`],
  [new RegExp(`(\\b(?:${HEADER})\\\\+"\\s*:\\s*)\\\\+"(?:(?!\\\\+")[^\\n])*\\\\+"`, 'gi'), `$1\\"${GONE}\\"`],
  [new RegExp(`(\\b(?:${HEADER})\\s*[:=]\\s*)(?!["\\\\])[^\\n"]+`, 'gi'), `$1${GONE}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${GONE}`],
  [/\bey[A-Za-z0-9_-]{8,}\.[\w-]+\.[\w-]*/g, GONE],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s"'<>]*@/gi, `$1${GONE}@`],
  [quotedAfter(NAMED), `$1"${GONE}"`],
  [escapedAfter(NAMED), `$1\\"${GONE}\\"`],
  [new RegExp(`(\\b${NAMED}['"]?\\s*[:=]\\s*)(?!["\\\\\\[]|<set to the key )[^\\s&}"\\\\]+`, 'gi'), `$1${GONE}`],
  // A sealed cookie of the hub.
  [/(\b(?:__Host-|__Secure-)?warren[\w-]{0,32}=)[^\s;"\\]+/gi, `$1${GONE}`],
  // Private keys without their frame, encoded assertions.
  [/\bMC4CAQAwBQYDK2VwBCIE[\w+/=-]+/g, GONE],
  [/[A-Za-z0-9+/_%-]{120,}={0,2}/g, GONE],
];
/** Warren's tokens: 32 random bytes in base64url. */
const TOKEN = /(?<![\w+/-])[\w-]{43}(?![\w+/-])/g;
const isRandom = (text: string) => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);

const EMAIL = /[A-Za-z0-9._+'-]{1,64}(?:@|%40)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+/g;
const IPV4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d)/g;
const IPV6 = /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4})(?![\w:])/gi;
const LOOPBACK = /^(127\.|0\.0\.0\.0$|::1?$)/;

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Redacts secrets in texts. */
export class Redactor {
  private readonly known = new Set<string>();
  private readonly anonymous: boolean;
  private readonly key = randomBytes(32);
  private pattern: RegExp | undefined;

  /** @param anonymous also replaces e-mail and IP addresses by pseudonyms, which are constant within a bundle */
  constructor({ anonymous = false } = {}) {
    this.anonymous = anonymous;
  }

  /** Adds known secrets. */
  learn(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      // Also as encoded in JSON and URLs.
      for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
        this.known.add(form);
      }
    }
    const longest = [...this.known].sort((a, b) => b.length - a.length).map(literal);
    this.pattern = longest.length > 0 ? new RegExp(longest.join('|'), 'g') : undefined;
  }

  redact(text: string): string {
    let clean = this.pattern ? text.replaceAll(this.pattern, GONE) : text;
    clean = withoutHalfKeys(clean);
    for (const [pattern, instead] of RULES) clean = clean.replaceAll(pattern, instead);
    clean = clean.replaceAll(TOKEN, (token) => (isRandom(token) ? GONE : token));
    return this.anonymous ? this.pseudonymize(clean) : clean;
  }

  private pseudonymize(text: string): string {
    const address = (found: string) =>
      isIP(found) && !LOOPBACK.test(found) ? this.pseudonym('address', found.toLowerCase()) : found;
    return text
      .replaceAll(EMAIL, (found) => this.pseudonym('email', found.replace('%40', '@').toLowerCase()))
      .replaceAll(IPV6, (found) => (isIPv6(found) ? address(found) : found))
      .replaceAll(IPV4, address);
  }

  private pseudonym(kind: string, value: string): string {
    return `${kind}-${createHmac('sha256', this.key).update(value).digest('hex').slice(0, 10)}`;
  }
}

const KEY_LINE = /[A-Za-z0-9+/=]{20,}\s*$/;
const BEGIN = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const END = /-----END [A-Z ]*PRIVATE KEY-----/;

/** Drops the lines of private keys whose beginning or end was cut by a size limit. */
function withoutHalfKeys(text: string): string {
  if (!BEGIN.test(text) && !END.test(text)) return text;
  const kept: string[] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    if (END.test(line) && !BEGIN.test(line)) {
      while (!inside && KEY_LINE.test(kept.at(-1) ?? '')) kept.pop();
      inside = false;
      kept.push(GONE);
    } else if (BEGIN.test(line) && !END.test(line)) {
      inside = true;
    } else if (!inside || !KEY_LINE.test(line)) {
      // A key that was cut ends where lines are something else.
      if (inside) kept.push(GONE);
      inside = false;
      kept.push(line);
    }
  }
  if (inside) kept.push(GONE);
  return kept.join('\n');
}
