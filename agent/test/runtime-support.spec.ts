import { describe, expect, it } from '@jest/globals';
import { runtimeProblem } from '../packaging/build/support.ts';

const today = new Date('2026-11-22');

describe('runtimeProblem', () => {
  it('passes a supported version without known vulnerabilities', () => {
    expect(runtimeProblem('24.22.1', today)).toBeUndefined();
    expect(runtimeProblem('24.30.0', today)).toBeUndefined();
  });

  it('refuses a release line that is out of support or unlisted', () => {
    expect(runtimeProblem('24.22.1', new Date('2028-05-01'))).toBe(
      'Node 24.22.1 is out of support since 2028-04-30: package a newer line',
    );
    expect(runtimeProblem('20.11.0', today)).toBe('Node 20.11.0 is out of support: package a newer line');
  });

  it('refuses known vulnerabilities, and tolerated ones after their date', () => {
    expect(runtimeProblem('24.18.0', today)).toBe('Node 24.18.0 has known vulnerabilities: package 24.19.0 or later');
    expect(runtimeProblem('24.21.0', today)).toBeUndefined();
    expect(runtimeProblem('24.21.0', new Date('2027-02-01'))).toBe(
      'Node 24.21.0 has known vulnerabilities: package 24.22.1 or later',
    );
  });
});
