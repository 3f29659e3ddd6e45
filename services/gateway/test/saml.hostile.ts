import { randomBytes } from 'node:crypto';

/** Numbers that are the same in every run, 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const each = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at)).join('');

/** What costs most to read, to stand inside of a message: some `bytes` long each. */
export const COSTLY: Record<string, (bytes: number) => string> = {
  'flat elements': (bytes) => '<b/>'.repeat(bytes / 4),
  'elements as many as are read': () => 'a<b/>'.repeat(2_900),
  'elements between comments': (bytes) => '<b/><!---->'.repeat(bytes / 11),
  'deep elements': (bytes) => '<b>'.repeat(bytes / 7) + '</b>'.repeat(bytes / 7),
  'elements never closed': (bytes) => '<b>'.repeat(bytes / 3),
  attributes: (bytes) => `<b ${each(bytes / 9, (at) => `a${at}="" `)}/>`,
  'attributes of the same name': (bytes) => `<b ${'a="" '.repeat(bytes / 5)}/>`,
  namespaces: (bytes) => `<b ${each(bytes / 16, (at) => `xmlns:a${at}="u" `)}/>`,
  'namespaces on each element': (bytes) => each(bytes / 40, (at) => `<b xmlns="u${at}" xmlns:p="v${at}"/>`),
  'namespaces on each level': (bytes) => each(bytes / 40, (at) => `<b xmlns:p${at}="v${at}">`),
  comments: (bytes) => '<!---->'.repeat(bytes / 7),
  'processing instructions': (bytes) => '<?a?>'.repeat(bytes / 5),
  'CDATA sections': (bytes) => '<![CDATA[]]>'.repeat(bytes / 12),
  'character references': (bytes) => '&#65;'.repeat(bytes / 5),
  'references to entities': (bytes) => '&b;'.repeat(bytes / 3),
  text: (bytes) => 'a'.repeat(bytes),
  whitespace: (bytes) => ' '.repeat(bytes),
  'a long name': (bytes) => `<${'b'.repeat(bytes)}/>`,
  'a long attribute': (bytes) => `<b a="${'c'.repeat(bytes)}"/>`,
  'open brackets': (bytes) => '<'.repeat(bytes),
  ampersands: (bytes) => '&'.repeat(bytes),
  noise: (bytes) => randomBytes(bytes / 2).toString('hex'),
};

const SIG = 'http://www.w3.org/2000/09/xmldsig#';
const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** A signature by no known key, with the test's content. */
export function signature(
  more: { references?: string; transforms?: string; object?: string; canonical?: string } = {},
): string {
  const { references = '', transforms = `<ds:Transform Algorithm="${SIG}enveloped-signature"/>`, object = '' } = more;
  const reference = `<ds:Reference URI="#_r"><ds:Transforms>${transforms}</ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AAAA</ds:DigestValue></ds:Reference>`;
  return `<ds:Signature xmlns:ds="${SIG}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${more.canonical ?? C14N}"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>${references || reference}</ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue>${object}</ds:Signature>`;
}

/** Signatures that cost most to check. */
export const COSTLY_SIGNATURES: Record<string, (bytes: number) => string> = {
  none: () => '',
  'of nobody': () => signature(),
  'with many references': (bytes) => signature({ references: '<ds:Reference URI="#_r"/>'.repeat(bytes / 25) }),
  'with many transforms': (bytes) =>
    signature({ transforms: `<ds:Transform Algorithm="${C14N}"/>`.repeat(bytes / 70) }),
  'with a long object': (bytes) => signature({ object: `<ds:Object>${'A'.repeat(bytes)}</ds:Object>` }),
  'with many objects': (bytes) => signature({ object: '<ds:Object/>'.repeat(bytes / 12) }),
  'with a certificate that is none': (bytes) =>
    signature({
      object: `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${'A'.repeat(bytes)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`,
    }),
  'by inclusive canonicalization': () => signature({ canonical: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' }),
  'by XSLT': () => signature({ canonical: 'http://www.w3.org/TR/1999/REC-xslt-19991116' }),
  'many of them': (bytes) => signature().repeat(bytes / 700),
};

/** A text with one to four pieces of it changed: flipped, cut out, doubled, moved, or replaced by what XML means something by. */
export function mutated(text: string, random: () => number): string {
  let changed = text;
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) {
    const at = Math.floor(random() * changed.length);
    const end = Math.min(changed.length, at + 1 + Math.floor(random() ** 3 * 400));
    const piece = changed.slice(at, end);
    const place = Math.floor(random() * changed.length);
    const made = [
      () =>
        changed.slice(0, at) +
        String.fromCharCode(changed.charCodeAt(at) ^ (1 << Math.floor(random() * 7))) +
        changed.slice(at + 1),
      () => changed.slice(0, at) + changed.slice(end),
      () => changed.slice(0, place) + piece + changed.slice(place),
      () =>
        changed.slice(0, at) +
        ['<!---->', '<', '>', '&amp;', '&#0;', '"', ' xmlns=""', '<?x?>', ']]>', '\r\n', '\0'][
          Math.floor(random() * 11)
        ] +
        changed.slice(at),
      () => changed.replaceAll(piece || 'x', ''),
      () => changed.replaceAll('ada@hub.test', 'boss@hub.test'),
    ][Math.floor(random() * 6)];
    changed = made?.() ?? changed;
  }
  return changed;
}
