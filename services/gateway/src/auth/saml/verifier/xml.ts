import { DOMParser, XMLSerializer } from '@xmldom/xmldom';

export const NS = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
  encryption11: 'http://www.w3.org/2009/xmlenc11#',
} as const;

export const BINDING_REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/**
 * Parses a document. Refuses a document type: SAML needs none, and attacks do.
 * @throws Error saying what is wrong
 */
export function parseXml(xml: string): Element {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('a document type is not allowed');
  const fail = (message: string): never => {
    throw new Error(`not well-formed: ${message.split('\n', 1)[0] ?? ''}`);
  };
  const handler = { warning: fail, error: fail, fatalError: fail };
  const root = new DOMParser({ locator: {}, errorHandler: handler }).parseFromString(xml, 'text/xml').documentElement;
  if (!root) throw new Error('no XML');
  return root;
}

/** Returns the descendants of `element` with a name. */
export function descendants(element: Element, namespace: string, name: string): Element[] {
  return Array.from(element.getElementsByTagNameNS(namespace, name));
}

/** Returns the children of `element` with a name. */
export function children(element: Element, namespace: string, name: string): Element[] {
  return descendants(element, namespace, name).filter((found) => found.parentNode === element);
}

export function textOf(element: Element | undefined): string {
  return element?.textContent?.trim() ?? '';
}

/** Serialises an element with the namespaces that it uses. */
export function serialised(element: Element): string {
  return new XMLSerializer().serializeToString(element);
}
