import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../../lib/client.ts';
import { areSingleKeysOn } from '../../lib/single-keys.ts';
import { useSession } from '../../lib/session.ts';
import { places } from '../places.ts';
import type { Place } from '../places.ts';

/** The second key, after `g`. */
export const PLACE_KEYS: Record<string, Place['name']> = {
  h: 'home',
  a: 'accounts',
  d: 'devices',
  l: 'alerts',
  u: 'users',
  g: 'groups',
  r: 'updates',
  t: 'audit',
  p: 'sessions',
  s: 'settings',
};

/** Longest pause between the keys of a sequence. */
const SEQUENCE_MS = 1_000;

/** Targets that need the key themselves: text fields, and anything open above the page. */
const OWN_KEYS =
  'input, textarea, select, [contenteditable=true], .xterm, [data-device-keys], [role=dialog], [role=menu]';

const isOurs = ({ target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented }: KeyboardEvent) =>
  !(ctrlKey || metaKey || altKey || isComposing || defaultPrevented) &&
  !(target instanceof Element && target.closest(OWN_KEYS)) &&
  !document.querySelector('[role=dialog]');

/** Shortcuts of every page, unless disabled: `/` for its search, `?` for this list, `g` and a letter for a page. */
export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  const session = useSession();
  const [client] = useClient();
  const began = useRef(-Infinity);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isOurs(event) || !areSingleKeysOn()) return;
      const goes = event.timeStamp - began.current < SEQUENCE_MS;
      began.current = -Infinity;
      const name = goes ? PLACE_KEYS[event.key] : undefined;
      const to = name && places(session, client).find((place) => place.name === name)?.to;
      if (to) void navigate(to);
      else if (event.key === 'g') began.current = event.timeStamp;
      else if (event.key === '?') onHelp();
      else if (event.key !== '/' || !focusSearch()) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [client, navigate, onHelp, session]);
}

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main input[type=search], main input[data-page-search]');
  search?.focus();
  search?.select();
  return search !== null;
}
