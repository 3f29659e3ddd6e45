import { afterEach, expect, it } from '@jest/globals';
import { chooseSingleKeys } from '../../../lib/single-keys.ts';
import { playerKeyOf, type PlayerKey } from './player-keys.ts';

/** What a key does that is pressed on an element. */
function press(key: string, html = '<p></p>', more: KeyboardEventInit = {}): PlayerKey | undefined {
  document.body.innerHTML = html;
  const target = document.body.querySelector('[data-at]') ?? document.body;
  let found: PlayerKey | undefined;
  target.addEventListener('keydown', (event) => (found = playerKeyOf(event as KeyboardEvent)), { once: true });
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
  return found;
}

afterEach(() => chooseSingleKeys(true));

it('plays, moves, steps and changes its speed', () => {
  const keys = [' ', 'ArrowLeft', 'ArrowRight', 'J', 'l', 'ArrowUp', 'ArrowDown', '.', ',', 'f', 'Home', 'End'];
  expect(keys.map((key) => press(key))).toEqual([
    ...['toggle', 'back', 'forward', 'far-back', 'far-forward', 'faster', 'slower', 'event-forward', 'event-back'],
    ...['full', 'start', 'end'],
  ]);
  expect(press('?', '<p></p>', { shiftKey: true })).toBe('help');
});

it('leaves keys with modifiers to selections and the browser', () => {
  expect(press('ArrowLeft', '<p></p>', { shiftKey: true })).toBeUndefined();
  expect(press('l', '<p></p>', { ctrlKey: true })).toBeUndefined();
  expect(press('f', '<p></p>', { metaKey: true })).toBeUndefined();
});

it('leaves keys to fields, menus and buttons, but not to the screen', () => {
  expect(press('j', '<input data-at>')).toBeUndefined();
  expect(press('ArrowDown', '<div role="menu"><a data-at href="#x"></a></div>')).toBeUndefined();
  expect(press(' ', '<button data-at></button>')).toBeUndefined();
  expect(press('j', '<button data-at></button>')).toBe('far-back');
  expect(press(' ', '<textarea class="xterm-helper-textarea" data-at></textarea>')).toBe('toggle');
});

it('moves by all arrows on the timeline, as on every slider', () => {
  expect(press('ArrowUp', '<div role="slider" data-at></div>')).toBe('forward');
  expect(press('ArrowDown', '<div role="slider" data-at></div>')).toBe('back');
});

it('keeps single characters to those who want them', () => {
  chooseSingleKeys(false);
  expect([press('j'), press('.'), press(' '), press('ArrowLeft')]).toEqual([undefined, undefined, 'toggle', 'back']);
});
