import { expect, it } from '@jest/globals';
import { chartValue } from '@warren/infra/chart';
import { quotaSetting } from '@warren/platform/config/quotas';
import { QUOTA_NAMES, QUOTAS, type QuotaName } from '@warren/rules/quotas';
import { tenancyConfig } from './config.ts';

/** As the chart calls it. */
const valueOf = (name: QuotaName) => name.replace(/_(\w)/, (_whole, letter: string) => letter.toUpperCase());

it.each(QUOTA_NAMES)('the chart and the service agree about the quota of %s', (name) => {
  const value = chartValue(`hub.quotas.${valueOf(name)}`);
  const { min, max } = QUOTAS[name];
  for (const number of [min - 1, min, max, max + 1])
    expect([number, tenancyConfig.shape[quotaSetting(name)].safeParse(String(number)).success]).toEqual([
      number,
      value.accepts(number),
    ]);
  for (const text of ['unlimited', 'none'])
    expect(tenancyConfig.shape[quotaSetting(name)].safeParse(text).success).toBe(value.accepts(text));
});
