import { describe, expect, it } from '@jest/globals';
import { chosen, type Step } from './runner.ts';

const step = (name: string, after: string[] = []): Step => ({ name, after, run: () => Promise.resolve(undefined) });
const all = [step('install'), step('device', ['install']), step('upgrade', ['device']), step('drain', ['device'])];
const names = (only: string[]) => chosen(all, only).map(({ name }) => name);

describe('the choice of steps', () => {
  it('is all of them when none is named', () => {
    expect(names([])).toEqual(['install', 'device', 'upgrade', 'drain']);
  });

  it('brings what a step needs, in the order of all', () => {
    expect(names(['drain'])).toEqual(['install', 'device', 'drain']);
    expect(names(['drain', 'install'])).toEqual(['install', 'device', 'drain']);
  });

  it('names a step that is not there, and those that are', () => {
    expect(() => names(['drian'])).toThrow('--only: drian came, expected some of install, device, upgrade, drain');
  });
});
