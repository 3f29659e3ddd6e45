import { FILTERED_PERMISSIONS, IMPLIED_PERMISSIONS, NOT_FOR_TOKENS, withImplied } from '@warren/rules/tokens';
import { permissionTexts, tokens as text } from '../../lib/messages/tokens.ts';

interface Choice {
  name: string;
  label: string;
  /** It goes with another one that is chosen. */
  implied: boolean;
}

interface ChoiceGroup {
  id: string;
  label: string;
  choices: Choice[];
}

const known = new Set(Object.values(permissionTexts).flatMap((group) => Object.keys(group)));

/** The permissions that may be chosen: those of the person, and for a token of some devices only what is about a device. */
export function offered(own: readonly string[], filter: string): string[] {
  const usable = own.filter((name) => !NOT_FOR_TOKENS.includes(name));
  return filter.trim() === '' ? usable : usable.filter((name) => FILTERED_PERMISSIONS.includes(name));
}

/** Those of them that are chosen, with what goes with them. */
export function chosen(selected: readonly string[], offer: readonly string[]): string[] {
  return withImplied(selected.filter((name) => offer.includes(name))).filter((name) => offer.includes(name));
}

/** Shows permissions in groups, in words; those without words by their names. */
export function groupsOf(offer: readonly string[], selected: readonly string[]): ChoiceGroup[] {
  const implied = new Set(selected.flatMap((name) => IMPLIED_PERMISSIONS[name] ?? []));
  const choice = (name: string, label: string): Choice => ({ name, label, implied: implied.has(name) });
  const groups = Object.entries(permissionTexts).map(([id, texts]) => {
    const worded = Object.entries(texts).flatMap(([name, label]) =>
      offer.includes(name) ? [choice(name, label)] : [],
    );
    const rest = id === 'other' ? offer.filter((name) => !known.has(name)).map((name) => choice(name, name)) : [];
    return { id, label: text.groups[id as keyof typeof text.groups], choices: [...worded, ...rest] };
  });
  return groups.filter(({ choices }) => choices.length > 0);
}
