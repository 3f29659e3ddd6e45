import { describe, expect, it } from '@jest/globals';
import { boards, ruleFiles } from './artefacts.ts';
import { upTo } from './promql.ts';
import { queriesOfBoards, queriesOfRules, usesOf } from './queries.ts';

const all = [...queriesOfBoards(boards), ...queriesOfRules(Object.values(ruleFiles).flat())];

describe('a bucket', () => {
  it('is selected by its bound as Prometheus 2 stores it, and as version 3 does', () => {
    expect([upTo(1), upTo(0.25)]).toEqual(['le=~"1([.]0)?"', 'le="0.25"']);
    for (const { at, expr } of all) expect({ at, whole: /\ble\s*=\s*"\d+"/.exec(expr)?.[0] }).toEqual({ at });
    expect(all.filter(({ expr }) => expr.includes(upTo(1)))).not.toEqual([]);
  });
});

describe('what a query reads', () => {
  it('is each metric with the labels that are selected and grouped by', () => {
    expect(usesOf('sum by (kind) (rate(a_total{x="1"}[$__rate_interval])) / on (kind) b')).toEqual([
      { metric: 'a_total', labels: ['x', 'kind'] },
      { metric: 'b', labels: ['kind'] },
    ]);
  });

  it('has the labels of a grouping below it alone', () => {
    expect(usesOf('histogram_quantile(0.9, sum by (le) (a_bucket)) > 1 and sum by (x) (a_count) > 20')).toEqual([
      { metric: 'a_bucket', labels: ['le'] },
      { metric: 'a_count', labels: ['x'] },
    ]);
  });

  it('is an error for a broken query', () => {
    expect(() => usesOf('sum(rate(a_total[5m])')).toThrow('no PromQL');
  });

  it('is known for every query of the dashboards and rules', () => {
    for (const { at, expr } of all)
      expect({ at, metrics: usesOf(expr).map(({ metric }) => metric) }).not.toMatchObject({ metrics: [] });
    expect(all.length).toBeGreaterThan(80);
  });
});
