import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '@warren/platform/config/load';
import { devicesConfig } from './config.ts';

describe('the environment of the devices process', () => {
  it('says of each variable that is missing or wrong what was expected, with an example', () => {
    const wrong = Object.fromEntries(Object.keys(devicesConfig.shape).map((name) => [name, '\t']));
    const missing = problemsOf(devicesConfig, {});
    const lines = [...missing, ...problemsOf(devicesConfig, wrong)];
    expect(missing.length).toBeGreaterThanOrEqual(4);
    expect(lines.length).toBeGreaterThanOrEqual(13);
    expect(lines.filter((line) => !/: expected .*(, such as | or )/.test(line))).toEqual([]);
  });
});
