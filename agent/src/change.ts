import * as z from 'zod';
import { userName } from './config.ts';
import { EXIT, UserError } from './errors.ts';

/** The settings that `warren-agent set` changes. */
export const CHANGEABLE = ['proxy', 'shell-user', 'name'] as const;

/** A setting and its new value, checked; undefined removes it. */
export interface Change {
  setting: (typeof CHANGEABLE)[number];
  value: string | undefined;
}

const NONE = 'none';

const proxy = z
  .string()
  .trim()
  .refine(isProxy, 'expected an address such as http://proxy.example.com:3128, - to type it, or none')
  .transform((value) => new URL(value).href.replace(/\/$/, ''));

const rules = {
  proxy,
  'shell-user': userName.refine(
    (user) => user !== 'warren-agent',
    'expected another user than the one that has the key',
  ),
  name: z
    .string()
    .trim()
    .regex(/^\P{C}{1,253}$/u, 'expected 1 to 253 characters that can be seen, or none'),
};

/**
 * Parses the arguments of `warren-agent set`.
 * @param typed the value where the command line has `-`
 * @throws UserError that names the value and what was expected; a password is not shown
 */
export function parseChange(args: string[], typed: () => string): Change {
  const [setting = '', given, ...rest] = args;
  const known = CHANGEABLE.find((name) => name === setting);
  if (!known) throw new UserError(`set: "${setting}" is no setting; expected ${CHANGEABLE.join(', ')}`, EXIT.usage);
  if (given === undefined || rest.length > 0) throw new UserError(`set ${known}: expected one value`, EXIT.usage);
  if (given === NONE && known !== 'shell-user') return { setting: known, value: undefined };
  const value = known === 'proxy' && given === '-' ? typed() : given;
  const parsed = rules[known].safeParse(value);
  if (parsed.success) return { setting: known, value: parsed.data };
  const shown = known === 'proxy' ? withoutPassword(value) : value;
  throw new UserError(`${known} is ${JSON.stringify(shown)}: ${parsed.error.issues[0]?.message}`, EXIT.usage);
}

/** An address without credentials. */
export function withoutPassword(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1…@');
}

function isProxy(value: string): boolean {
  const url = URL.parse(value);
  if (!url || /\s/.test(value)) return false;
  const extra = url.pathname.length > 1 || url.search !== '' || url.hash !== '';
  return /^https?:$/.test(url.protocol) && url.hostname !== '' && !extra;
}
