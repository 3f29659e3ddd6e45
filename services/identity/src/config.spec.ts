import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '@warren/platform/config/load';
import { identityConfig } from './config.ts';

describe('the environment of the identity process', () => {
  it('says of each variable that is missing or wrong what was expected, with an example', () => {
    const wrong = Object.fromEntries(Object.keys(identityConfig.shape).map((name) => [name, '\t']));
    const missing = problemsOf(identityConfig, {});
    const lines = [...missing, ...problemsOf(identityConfig, wrong)];
    expect(missing.length).toBeGreaterThanOrEqual(3);
    expect(lines.length).toBeGreaterThanOrEqual(13);
    expect(lines.filter((line) => !/: expected .*(, such as | or )/.test(line))).toEqual([]);
  });
});
