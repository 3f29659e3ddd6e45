import { expect, it, jest } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { useRelease } from './reading.ts';

it('releases what waits at once when nobody reads the list any more', () => {
  window.matchMedia = ((query: string) => ({ matches: query === '(hover: hover)' })) as never;
  const [list, release] = [{ current: document.createElement('div') }, jest.fn()];
  const { rerender } = renderHook(({ waits }) => useRelease(list, waits, release), { initialProps: { waits: false } });
  expect(release).not.toHaveBeenCalled();
  rerender({ waits: true });
  expect(release).toHaveBeenCalledTimes(1);
});
