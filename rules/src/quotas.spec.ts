import { describe, expect, it } from '@jest/globals';
import { fitsQuota, isQuotaName, limitsWith, QUOTA_NAMES, QUOTAS, reachedText } from './quotas.ts';

const DEFAULTS = { devices: 10, users: 5, sessions: 8, sockets: 4, api_calls: 100, traffic: null };

describe('quotas', () => {
  it('have a standard limit within their bounds', () => {
    for (const name of QUOTA_NAMES) {
      const { standard } = QUOTAS[name];
      expect([name, standard === null || fitsQuota(name, standard)]).toEqual([name, true]);
    }
  });

  it('are whole numbers within bounds', () => {
    expect([0, 1, 1.5, -1, Number.NaN, 1_000_001].map((limit) => fitsQuota('users', limit))).toEqual([
      ...[false, true, false, false, false, false],
    ]);
  });

  it('have names that nothing inherited is', () => {
    expect(['devices', 'toString', 'bandwidth'].map(isQuotaName)).toEqual([true, false, false]);
  });

  it('of an account replace the defaults, also by unlimited', () => {
    expect(limitsWith({ devices: null, users: 7 }, DEFAULTS)).toEqual({ ...DEFAULTS, devices: null, users: 7 });
  });

  it('say what to do when they are reached', () => {
    expect(reachedText('devices', 3)).toBe(
      'This account may have 3 devices. Delete a device that is no longer used, or ask the operator of this hub for a higher limit.',
    );
  });
});
