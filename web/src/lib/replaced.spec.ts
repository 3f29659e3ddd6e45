import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { leave } from './leave.ts';
import { reloadWhenReplaced } from './replaced.ts';

let now = 1_000_000;
let reload: jest.SpiedFunction<typeof leave.reload>;

reloadWhenReplaced(() => now);

beforeEach(() => {
  sessionStorage.clear();
  reload = jest.spyOn(leave, 'reload').mockImplementation(() => undefined);
});
afterEach(() => reload.mockRestore());

/** @returns whether the page still has to say what went wrong */
const lose = () => window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));

it('reloads when a part of the console is gone', () => {
  expect(lose()).toBe(false);
  expect(reload).toHaveBeenCalledTimes(1);
});

it('says so instead of reloading again at once, and reloads for the next update', () => {
  lose();
  now += 59_000;
  expect(lose()).toBe(true);
  expect(reload).toHaveBeenCalledTimes(1);
  now += 2_000;
  expect(lose()).toBe(false);
  expect(reload).toHaveBeenCalledTimes(2);
});
