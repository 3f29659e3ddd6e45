import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './load.ts';
import { quotaConfig, quotaDefaults } from './quotas.ts';

const defaultsWith = (env: NodeJS.ProcessEnv) => quotaDefaults(loadConfig(quotaConfig, env));

describe('the default quotas', () => {
  it('are the standard ones where nothing is set', () => {
    expect(defaultsWith({})).toMatchObject({ devices: 10_000, users: 1_000 });
  });

  it('are set one by one', () => {
    expect(defaultsWith({ QUOTA_DEVICES: '50', QUOTA_API_CALLS: 'unlimited', QUOTA_USERS: '' })).toMatchObject({
      devices: 50,
      api_calls: null,
      users: 1_000,
    });
  });

  it.each(['-1', '1.5', '1e3', 'none', '1000001', ' 5'])('refuse %j by name, with what is expected', (value) => {
    expect(() => defaultsWith({ QUOTA_DEVICES: value })).toThrow(
      `QUOTA_DEVICES: expected a whole number from 0 to 1000000, or unlimited, such as 10000 (came: ${JSON.stringify(value)})`,
    );
  });
});
