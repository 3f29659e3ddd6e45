import { mark } from './bodies.ts';
import type { Actor } from './cast.ts';
import type { Place, Thing } from './place.ts';

/** What an operation is called with, by the names of its fields; the description says where each goes. */
export interface Input {
  values: Record<string, unknown>;
  /** What is no more, or no longer there, when the call succeeds. */
  spends?: Thing;
}

/** Makes a right input for one call, on things of an account. `variant` is what follows the colon in a table's row. */
export type Maker = (place: Place, actor: Actor, variant: string) => Input | Promise<Input>;

/** Users that were there before. */
export interface Persons {
  idOf(actor: Actor): string;
  ownerOf(place: Place): string;
  withPictureIn(place: Place): string;
}

export const one =
  (name: Thing, spends = false): Maker =>
  async (place) => ({ values: { id: idIn(await place.thing(name)) }, ...(spends && { spends: name }) });

export const idIn = (thing: unknown): string => (typeof thing === 'string' ? thing : (thing as { id: string }).id);

export const ofAccount: Maker = (place) => ({ values: { account: place.id } });
export const ofMonth: Maker = () => ({ values: { month: '2026-11' } });
export const nothing: Maker = () => ({ values: {} });

export const device =
  (values: Record<string, unknown> = {}, withSerial = false): Maker =>
  async (place) => {
    const { id, serial } = await place.thing('device');
    return { values: { id, ...(withSerial && { serial }), ...values } };
  };

/** A claimed domain. A check, which one domain has every 10 seconds at most, spends it as well. */
export const domain: Maker = async (place) => ({
  values: { id: place.id, domain: await place.thing('domain') },
  spends: 'domain',
});

/** A rule for a group, in place of all others; the list of rules is another one each time. */
export const groupRules: Maker = async (place) => {
  const rule = { provider: 'default', value: mark(), group: await place.thing('group') };
  return { values: { id: place.id, rules: [rule], version: '' } };
};

/** The account itself where it is one's own; else a disposable one. */
export const account =
  (values: Record<string, unknown>, field = 'id', spends = false): Maker =>
  async (place, actor) => ({
    values: { [field]: place.name === actor.account ? place.id : await place.thing('account'), ...values },
    ...(spends && { spends: 'account' }),
  });

export async function userId(persons: Persons, place: Place, actor: Actor, variant: string): Promise<string> {
  if (variant === 'self') return persons.idOf(actor);
  return variant === 'owner' ? persons.ownerOf(place) : place.thing('user');
}
