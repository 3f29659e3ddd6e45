import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { leave } from './leave.ts';
import { isReplaced, reloadWhenReplaced } from './replaced.ts';
import { watchTyping } from './typed.ts';

let now = 1_000_000;
let reload: jest.SpiedFunction<typeof leave.reload>;

watchTyping();
reloadWhenReplaced(() => now);

beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
  reload = jest.spyOn(leave, 'reload').mockImplementation(() => undefined);
});
afterEach(() => {
  reload.mockRestore();
  jest.useRealTimers();
  document.body.replaceChildren();
});

/** @returns the error that Vite throws next */
function lose(): Error {
  const payload = new Error('Failed to fetch dynamically imported module');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  jest.runAllTimers();
  return payload;
}

function field(html: string, value: string): HTMLInputElement {
  document.body.innerHTML = html;
  const found = document.querySelector('input') as HTMLInputElement;
  found.value = value;
  found.dispatchEvent(new Event('input', { bubbles: true }));
  return found;
}

it('reloads when a part of the console is gone, and recognises the error', () => {
  expect(isReplaced(lose())).toBe(true);
  expect(isReplaced(new Error('something else'))).toBe(false);
  expect(reload).toHaveBeenCalledTimes(1);
});

it('does not reload again at once, and reloads for the next update', () => {
  lose();
  now += 59_000;
  lose();
  expect(reload).toHaveBeenCalledTimes(1);
  now += 2_000;
  lose();
  expect(reload).toHaveBeenCalledTimes(2);
});

it('does not reload a page with unsaved input', () => {
  const typed = field('<input>', 'Acme');
  lose();
  expect(reload).not.toHaveBeenCalled();
  typed.value = '';
  lose();
  expect(reload).toHaveBeenCalledTimes(1);
});

it('does not reload a page with unsent keys', () => {
  document.body.innerHTML = '<p data-unsent>3 keys held back</p>';
  lose();
  expect(reload).not.toHaveBeenCalled();
});

it('ignores a search, which is in the URL, and a removed field', () => {
  field('<input type="search">', 'pump');
  lose();
  expect(reload).toHaveBeenCalledTimes(1);
  now += 61_000;
  field('<input>', 'Acme').remove();
  lose();
  expect(reload).toHaveBeenCalledTimes(2);
});
