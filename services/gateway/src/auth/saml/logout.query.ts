import { SignInRefused } from '../refusal/sign-in.refused.ts';
import type { RedirectMessage } from './verifier/tasks.ts';

const MESSAGES = ['SAMLRequest', 'SAMLResponse'] as const;
const SIGNED = ['RelayState', 'SigAlg', 'Signature'] as const;
const MAX_LENGTH = 64 * 1024;

/**
 * Reads the query of a redirect (SAML bindings 2.0, section 3.4.4.1). node-saml finds the signed parameters by pattern in the raw
 * query and takes their values from the parsed one. Refuses queries in which the two could differ: each parameter must occur once,
 * with its name unencoded, and there must be one message.
 * @param url raw path and query
 * @throws SignInRefused
 */
export function readRedirect(url: string): RedirectMessage {
  const at = url.indexOf('?');
  const raw = at < 0 ? '' : url.slice(at + 1);
  if (raw.length > MAX_LENGTH) throw new SignInRefused('logout: the message is too long');
  const values: Record<string, string> = {};
  const encoded: string[] = [];
  for (const part of raw.split('&').filter(Boolean)) {
    const [name = '', value = ''] = part.split(/=(.*)/s);
    if (![...MESSAGES, ...SIGNED].includes(name as never)) throw new SignInRefused('logout: an unknown parameter');
    if (Object.hasOwn(values, name)) throw new SignInRefused(`logout: ${name} came twice`);
    values[name] = decoded(name, value);
    encoded.push(part);
  }
  const [kind, more] = MESSAGES.filter((name) => values[name]);
  if (!kind || more) throw new SignInRefused('logout: expected one SAMLRequest or SAMLResponse');
  return { kind, values, query: encoded.join('&') };
}

function decoded(name: string, value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch (cause) {
    throw new SignInRefused(`logout: ${name} is not readable`, { cause });
  }
}
