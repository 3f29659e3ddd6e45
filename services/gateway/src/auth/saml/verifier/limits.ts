import { SaxesParser, type SaxesTagNS } from 'saxes';

/** Limits of a SAML message, checked before it is parsed: node-saml's XPath is quadratic in the number of siblings. */
export const MESSAGE_LIMITS = {
  characters: 384 * 1024,
  elements: 3_000,
  depth: 40,
  /** Per element, including namespace declarations. */
  attributes: 40,
  allAttributes: 10_000,
  /** Per element. */
  namespaces: 20,
  /** Comments, processing instructions and CDATA sections. */
  otherNodes: 100,
};

/** Limits of a metadata document, which may be of a federation and is read without XPath. */
export const METADATA_LIMITS: Limits = {
  characters: 4 * 1024 * 1024,
  elements: 100_000,
  depth: 40,
  attributes: 100,
  allAttributes: 200_000,
  namespaces: 40,
  otherNodes: 10_000,
};

export type Limits = typeof MESSAGE_LIMITS;

/** Callbacks of a scan, in document order. */
export interface ScanEvents {
  /** @param start offset of its `<` */
  open?(tag: SaxesTagNS, start: number): void;
  text?(text: string): void;
  /** @param end offset after its `>` */
  close?(tag: SaxesTagNS, end: number): void;
}

/**
 * Scans a document in linear time, within limits. Refuses a document type: SAML needs none, and attacks do.
 * @throws Error saying what is wrong
 */
export function scan(xml: string, limits: Limits, events: ScanEvents = {}): void {
  within('characters', xml.length, limits.characters);
  const parser = new SaxesParser({ xmlns: true });
  const count = counter(limits);
  parser.on('doctype', () => {
    throw new Error('a document type is not allowed');
  });
  for (const kind of ['comment', 'processinginstruction'] as const) parser.on(kind, () => count.other());
  parser.on('opentagstart', () => count.element());
  parser.on('attribute', ({ name }) => count.attribute(name));
  // Attribute values can't contain `<`, so the last one begins this tag.
  parser.on('opentag', (tag) => events.open?.(tag, xml.lastIndexOf('<', parser.position - 1)));
  parser.on('text', (text) => events.text?.(text));
  parser.on('cdata', (text) => {
    count.other();
    events.text?.(text);
  });
  parser.on('closetag', (tag) => {
    count.close();
    events.close?.(tag, parser.position);
  });
  parser.on('error', (error) => {
    throw new Error(`not well-formed: ${error.message.slice(0, 200)}`);
  });
  parser.write(xml).close();
}

function within(what: string, came: number, most: number): void {
  if (came > most) throw new Error(`${what}: expected at most ${most}`);
}

function counter(limits: Limits) {
  const seen = { elements: 0, depth: 0, attributes: 0, allAttributes: 0, namespaces: 0, otherNodes: 0 };
  const add = (what: keyof typeof seen): void => within(what, ++seen[what], limits[what]);
  return {
    element() {
      seen.attributes = seen.namespaces = 0;
      add('elements');
      add('depth');
    },
    attribute(name: string) {
      add('attributes');
      add('allAttributes');
      if (name === 'xmlns' || name.startsWith('xmlns:')) add('namespaces');
    },
    close: () => void seen.depth--,
    other: () => add('otherNodes'),
  };
}
