import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '@warren/platform/config/load';
import { tenancyConfig } from './config.ts';

describe('the environment of the tenancy process', () => {
  it('says of each variable that is missing or wrong what was expected, with an example', () => {
    const wrong = Object.fromEntries(Object.keys(tenancyConfig.shape).map((name) => [name, '\t']));
    const missing = problemsOf(tenancyConfig, {});
    const lines = [...missing, ...problemsOf(tenancyConfig, wrong)];
    expect(missing.length).toBeGreaterThanOrEqual(5);
    expect(lines.length).toBeGreaterThanOrEqual(17);
    expect(lines.filter((line) => !/: expected .*(, such as | or )/.test(line))).toEqual([]);
  });
});
