import { describe, expect, it } from '@jest/globals';
import { Company } from './company.ts';

const [typist, flood, third] = [{}, {}, {}];

function at() {
  let now = 0;
  const company = new Company(() => now);
  return { company, later: (ms: number) => (now += ms) };
}

describe('company', () => {
  it('is somebody else who was sent something short', () => {
    const { company } = at();
    expect(company.of(flood)).toBe(false);
    company.sends(typist, 1);
    expect(company.of(flood)).toBe(true);
    expect(company.of(typist)).toBe(false);
  });

  it('is not who gets a flood as well', () => {
    const { company } = at();
    company.sends(third, 64_000);
    expect(company.of(flood)).toBe(false);
  });

  it('is not forgotten for what one was sent oneself', () => {
    const { company } = at();
    company.sends(typist, 1);
    company.sends(flood, 100);
    company.sends(flood, 100);
    expect(company.of(flood)).toBe(true);
  });

  it('is over a second later', () => {
    const { company, later } = at();
    company.sends(typist, 1);
    later(999);
    expect(company.of(flood)).toBe(true);
    later(1);
    expect(company.of(flood)).toBe(false);
  });
});
