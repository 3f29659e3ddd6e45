import { describe, expect, it } from '@jest/globals';
import { viewKeyOf } from './view-keys.ts';
import {
  drop,
  freeNumber,
  look,
  MOST_OPEN,
  MOST_TERMINALS,
  readState,
  tabOf,
  viewsOf,
  wantedOf,
  written,
  type ViewId,
  type ViewState,
} from './view-state.ts';

const EMPTY = readState(null);
const at = (address: string) => wantedOf(new URLSearchParams(address));
const visit = (state: ViewState, ...addresses: string[]) =>
  addresses.reduce((now, address) => look(now, at(address)), state);

describe('the view in an address', () => {
  it.each([
    ['', 'overview', undefined],
    ['tab=nonsense', 'overview', undefined],
    ['tab=terminal', 'terminal-1', undefined],
    ['tab=terminal-3&split=below', 'terminal-3', 'below'],
    ['tab=terminal&split=sideways', 'terminal-1', undefined],
    ['tab=terminal-9', 'overview', undefined],
    ['tab=terminal-0', 'overview', undefined],
    ['tab=logs&split=right', 'logs', undefined],
  ])('%s', (address, view, split) => {
    expect(at(address)).toEqual({ view, split });
  });

  it('is what a tab writes into it', () => {
    const state = visit(EMPTY, 'tab=terminal-2');
    for (const view of viewsOf(state)) expect(at(`tab=${tabOf(view) ?? ''}`).view).toBe(view);
  });
});

describe('looking at a view', () => {
  it('opens it, and adds the tab of a terminal that an address names', () => {
    const state = visit(EMPTY, 'tab=logs', 'tab=terminal-3', '');
    expect(state.open).toEqual(['logs', 'terminal-3']);
    expect(viewsOf(state)).toEqual(['overview', 'terminal-1', 'terminal-3', 'desktop', 'web', 'logs']);
  });

  it('closes the longest unseen one beyond the most, and says which until one looks at it again', () => {
    const all = ['terminal', 'desktop', 'web', 'logs', 'terminal-2', 'terminal-3'].map((tab) => `tab=${tab}`);
    const full = visit(EMPTY, ...all, 'tab=terminal');
    expect(full.open).toHaveLength(MOST_OPEN);
    expect(full.closed).toEqual([]);
    const over = visit(full, 'tab=terminal-4');
    expect(over.open).toEqual(['web', 'logs', 'terminal-2', 'terminal-3', 'terminal-1', 'terminal-4']);
    expect(over.closed).toEqual(['desktop']);
    expect(visit(over, 'tab=desktop').closed).toEqual(['web']);
  });

  it('counts both panes of a split terminal', () => {
    const tabs = ['terminal', 'terminal-2', 'terminal-3', 'terminal-4'].map((tab) => `tab=${tab}&split=right`);
    const state = visit(EMPTY, ...tabs);
    expect(state.open).toEqual(['terminal-2', 'terminal-3', 'terminal-4']);
    expect(state.closed).toEqual(['terminal-1']);
  });
});

describe('closing a view', () => {
  it('takes the tab of every terminal but the first', () => {
    const state = visit(EMPTY, 'tab=terminal&split=right', 'tab=terminal-2');
    const [first, second] = [drop(state, 'terminal-1'), drop(state, 'terminal-2')];
    expect([first.terminals, first.open, first.splits]).toEqual([[1, 2], ['terminal-2'], {}]);
    expect([second.terminals, second.open]).toEqual([[1], ['terminal-1']]);
  });

  it('gives its number to the next one', () => {
    const some = visit(EMPTY, 'tab=terminal-2', 'tab=terminal-3');
    expect(freeNumber(some)).toBe(4);
    expect(freeNumber(drop(some, 'terminal-2'))).toBe(2);
    const names = Array.from({ length: MOST_TERMINALS }, (_, index): ViewId => `terminal-${index + 1}`);
    expect(freeNumber(names.reduce((state, view) => look(state, { view, split: undefined }), EMPTY))).toBeUndefined();
  });
});

it('terminals are remembered with their splits, and nothing else is believed', () => {
  const state = visit(EMPTY, 'tab=terminal&split=below', 'tab=terminal-3');
  expect(written(state)).toBe('1:below 3');
  expect(readState(written(state))).toMatchObject({ terminals: [1, 3], splits: { 1: 'below' }, open: [] });
  expect(readState('0 99 2:up x').terminals).toEqual([1]);
});

describe('the shortcuts', () => {
  const pressed = { ctrlKey: true, shiftKey: true, altKey: false, metaKey: false };

  it('are letters and marks with Ctrl and Shift', () => {
    expect(viewKeyOf({ ...pressed, code: 'KeyE' })).toBe('right');
    expect(viewKeyOf({ ...pressed, code: 'Period' })).toBe('next');
  });

  it.each(['KeyC', 'KeyV', 'Digit2', 'Digit6', 'Minus', 'ArrowUp', 'toString'])('leave %s to the shell', (code) => {
    expect(viewKeyOf({ ...pressed, code })).toBeUndefined();
  });

  it.each(['ctrlKey', 'shiftKey'] as const)('need %s', (key) => {
    expect(viewKeyOf({ ...pressed, [key]: false, code: 'KeyE' })).toBeUndefined();
  });
});
