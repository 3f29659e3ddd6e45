import { areSingleKeysOn } from '../../../lib/single-keys.ts';

/** What a key does in the player. */
export type PlayerKey =
  | 'toggle'
  | 'back'
  | 'forward'
  | 'far-back'
  | 'far-forward'
  | 'slower'
  | 'faster'
  | 'event-back'
  | 'event-forward'
  | 'mark-back'
  | 'mark-forward'
  | 'start'
  | 'end'
  | 'full'
  | 'link'
  | 'find'
  | 'help';

const KEYS: Readonly<Record<string, PlayerKey>> = {
  ' ': 'toggle',
  ArrowLeft: 'back',
  ArrowRight: 'forward',
  ArrowUp: 'faster',
  ArrowDown: 'slower',
  Home: 'start',
  End: 'end',
};
/** Single characters, which a person may have disabled (WCAG 2.1.4). */
const LETTERS: Readonly<Record<string, PlayerKey>> = {
  k: 'toggle',
  j: 'far-back',
  l: 'far-forward',
  ',': 'event-back',
  '.': 'event-forward',
  p: 'mark-back',
  n: 'mark-forward',
  f: 'full',
  t: 'link',
  '/': 'find',
  '?': 'help',
};
/** On the timeline itself, as on every slider. */
const ON_SLIDER: Readonly<Record<string, PlayerKey>> = { ArrowUp: 'forward', ArrowDown: 'back' };

/** What needs its keys itself. The screen takes no input. */
const OWN_KEYS =
  'input, textarea:not(.xterm-helper-textarea), select, [role=menu], [role=listbox], [role=tab], [role=dialog], [role=combobox]';

/** What a key press does; undefined if it is not for the player. */
export function playerKeyOf(event: KeyboardEvent): PlayerKey | undefined {
  const { key, target } = event;
  const element = target instanceof Element ? target : null;
  if (!isPlain(event) || element?.closest(OWN_KEYS)) return undefined;
  if (key === ' ' && element?.closest('button, a')) return undefined;
  const onSlider = element?.closest('[role=slider]') ? ON_SLIDER[key] : undefined;
  return onSlider ?? KEYS[key] ?? (areSingleKeysOn() ? LETTERS[key.toLowerCase()] : undefined);
}

/** Keys with modifiers belong to selections and the browser. */
const isPlain = ({ key, shiftKey, ctrlKey, metaKey, altKey, isComposing, defaultPrevented }: KeyboardEvent) =>
  !(ctrlKey || metaKey || altKey || isComposing || defaultPrevented) && (!shiftKey || key === '?');
