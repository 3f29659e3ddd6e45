import '@testing-library/jest-dom/jest-globals';
import { afterEach, beforeEach } from '@jest/globals';
import { cleanup, configure, getConfig } from '@testing-library/react';
import * as React from 'react';
import { FakeEventSource } from './fake-event-source.ts';

const INTERNALS = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';

// A loaded machine is slow, not wrong: what must come is waited for longer than the second that is usual.
configure((usual) => ({
  asyncUtilTimeout: 40_000,
  // What is waited for prints the page once, after its last look.
  getElementError: (message, container) =>
    (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics
      ? new Error(message ?? '')
      : usual.getElementError(message, container),
}));
// React's build for developers takes a stack for each element, a sixth of a test's time; here nobody reads them.
Object.defineProperty(Reflect.get(React, INTERNALS) ?? {}, 'recentlyCreatedOwnerStacks', {
  get: () => Infinity,
  set: () => {},
});

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
