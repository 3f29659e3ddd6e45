import { describe, expect, it } from '@jest/globals';
import { chartValue } from '@warren/infra/chart';
import { problemsOf } from '@warren/platform/config/load';
import { fleetConfig } from './config.ts';

describe('the environment of the fleet process', () => {
  it('says of each variable that is missing or wrong what was expected, with an example', () => {
    const wrong = Object.fromEntries(Object.keys(fleetConfig.shape).map((name) => [name, '\t']));
    const missing = problemsOf(fleetConfig, {});
    const lines = [...missing, ...problemsOf(fleetConfig, wrong)];
    expect(missing.length).toBeGreaterThanOrEqual(2);
    expect(lines.length).toBeGreaterThanOrEqual(9);
    expect(lines.filter((line) => !/: expected .*(, such as | or )/.test(line))).toEqual([]);
  });

  it.each([0, 1, 13, 60, 61])('agrees with the chart about %d months', (months) => {
    const accepted = fleetConfig.shape.METRICS_MONTHS.safeParse(String(months)).success;
    expect(chartValue('fleet.metricsMonths').accepts(months)).toBe(accepted);
  });
});
