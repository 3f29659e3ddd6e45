import { describe, expect, it } from '@jest/globals';
import { boards, ruleFiles } from './artefacts.ts';
import { queriesOfBoards, queriesOfRules, usesOf } from './queries.ts';

describe('what a query reads', () => {
  it('is each metric with the labels that are selected and grouped by', () => {
    expect(usesOf('sum by (kind) (rate(a_total{x="1"}[$__rate_interval])) / on (kind) b')).toEqual([
      { metric: 'a_total', labels: ['x', 'kind'] },
      { metric: 'b', labels: ['kind'] },
    ]);
  });

  it('is told by no query that is broken', () => {
    expect(() => usesOf('sum(rate(a_total[5m])')).toThrow('no PromQL');
  });

  it('can be told of every query of the dashboards and rules', () => {
    const all = [...queriesOfBoards(boards), ...queriesOfRules(Object.values(ruleFiles).flat())];
    for (const { at, expr } of all)
      expect({ at, metrics: usesOf(expr).map(({ metric }) => metric) }).not.toMatchObject({ metrics: [] });
    expect(all.length).toBeGreaterThan(80);
  });
});
