import { describe, expect, it } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { boards, ruleFiles } from './artefacts.ts';
import { dashboardOf } from './dashboard.ts';
import { ofChosen } from './installation.ts';
import { queriesOfBoards, queriesOfRules, usesOf } from './queries.ts';

const CHOSEN = 'namespace="$namespace",release="$release"';

/** What a rule does that may blend installations. */
function blends(expr: string): string[] {
  const found: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, node, from, to }) => {
      const text = expr.slice(from, to);
      if (name === 'AggregateExpr' && !node.getChild('AggregateModifier')) found.push(text);
      if (name === 'GroupingLabels' && !/^\(namespace, release[,)]/.test(text)) found.push(text);
      if (name === 'Ignoring' || name === 'Without') found.push(text);
    },
  });
  return found;
}

describe('rules', () => {
  it('keep installations apart wherever they add up or match series', () => {
    expect(blends('sum(a)')).toEqual(['sum(a)']);
    expect(blends('sum by (component) (a)')).toEqual(['(component)']);
    expect(blends('a / on (release) b')).toEqual(['(release)']);
    expect(blends('a / ignoring (namespace) b')).not.toEqual([]);
    expect(blends('sum without (release) (a)')).not.toEqual([]);
    expect(blends('sum by (namespace, release, le) (a) / on (namespace, release) b')).toEqual([]);
    for (const { at, expr } of queriesOfRules(Object.values(ruleFiles).flat()))
      expect({ at, blends: blends(expr) }).toEqual({ at, blends: [] });
  });
});

describe('dashboards', () => {
  it('read one installation at a time', () => {
    expect(ofChosen('sum(a) / rate(b{x="1"}[$__rate_interval]) - {__name__="c"} + d{}')).toBe(
      `sum(a{${CHOSEN}}) / rate(b{${CHOSEN},x="1"}[$__rate_interval]) - {${CHOSEN},__name__="c"} + d{${CHOSEN}}`,
    );
    expect(() => ofChosen('sum(a')).toThrow('no PromQL');
    for (const { at, expr } of queriesOfBoards(boards))
      for (const { metric, labels } of usesOf(expr))
        expect({ at, metric, labels }).toMatchObject({ labels: expect.arrayContaining(['namespace', 'release']) });
  });

  it('let one choose it among the existing ones', () => {
    for (const board of boards) {
      const variables = dashboardOf(board).templating?.list ?? [];
      expect(variables.map(({ name, query, includeAll }) => ({ name, query, all: includeAll ?? false }))).toEqual([
        { name: 'datasource', query: 'prometheus', all: false },
        { name: 'namespace', query: 'label_values(warren_build_info, namespace)', all: false },
        { name: 'release', query: 'label_values(warren_build_info{namespace="$namespace"}, release)', all: false },
      ]);
    }
  });
});
