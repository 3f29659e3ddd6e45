import '@testing-library/jest-dom/jest-globals';
import { afterEach, beforeEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';
import { FakeEventSource } from './fake-event-source.ts';

// A loaded machine is slow, not wrong: what must come is waited for longer than the second that is usual.
configure({ asyncUtilTimeout: 40_000 });

// What Mantine asks of a browser and jsdom does not have.
window.matchMedia = (media) =>
  ({
    matches: false,
    media,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }) as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
window.IntersectionObserver = class {
  readonly root = null;
  readonly rootMargin = '';
  readonly scrollMargin = '';
  readonly thresholds = [];
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords = () => [];
};
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;
// On the prototype, which fake timers take over.
Object.assign(Object.getPrototypeOf(performance) as object, { getEntriesByType: () => [] });
Object.assign(window, {
  EventSource: FakeEventSource,
  fetch: () => Promise.reject(new Error('There is no network in tests; FakeHub stands for the hub.')),
});

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(cleanup);
