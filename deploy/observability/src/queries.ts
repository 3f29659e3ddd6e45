import { parser } from '@prometheus-io/lezer-promql';
import type { Board } from './dashboard.ts';
import type { Group } from './rules/rule.ts';

/** A query of a dashboard or a rule, and where it stands. */
export interface Query {
  at: string;
  expr: string;
  emptyWhen?: string | undefined;
}

export function queriesOfBoards(boards: readonly Board[]): Query[] {
  return boards.flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, lines }) => lines.map((line) => ({ ...line, at: `${uid}: ${title}: ${line.legend}` }))),
  );
}

export function queriesOfRules(groups: readonly Group[]): Query[] {
  return groups.flatMap(({ name, rules }) =>
    rules.map((rule) => ({ at: `${name}: ${'record' in rule ? rule.record : rule.name}`, expr: rule.expr })),
  );
}

/** A metric that a query reads, with the labels that it selects or groups by. */
export interface Use {
  metric: string;
  labels: string[];
}

/** Grafana's variables as a number that PromQL takes. */
export function withoutVariables(expr: string): string {
  return expr.replaceAll('$__rate_interval', '1m');
}

/**
 * What a query reads. Labels of a grouping count for every metric in the query.
 * @throws Error where it is no PromQL
 */
export function usesOf(query: string): Use[] {
  const expr = withoutVariables(query);
  const text = ({ from, to }: { from: number; to: number }) => expr.slice(from, to);
  const uses: Use[] = [];
  const grouping = new Set<string>();
  let current: Use | undefined;
  parser.parse(expr).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expr}`);
      if (node.name === 'VectorSelector') uses.push((current = { metric: '', labels: [] }));
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector' && current)
        current.metric = text(node);
      if (node.name !== 'LabelName') return;
      const name = text(node);
      if (node.node.parent?.name === 'GroupingLabels') grouping.add(name);
      else current?.labels.push(name);
    },
  });
  return uses.map(({ metric, labels }) => {
    const named = /__name__="([^"]+)"/.exec(expr)?.[1];
    return {
      metric: metric || (named ?? ''),
      labels: [...new Set([...labels, ...grouping])].filter((label) => label !== '__name__'),
    };
  });
}
