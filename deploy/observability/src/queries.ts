import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { Board } from './dashboard.ts';
import type { Group } from './rules/rule.ts';

/** A query and its dashboard or rule. */
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

/** A metric in a query, with the labels that it selects or groups by. */
export interface Use {
  metric: string;
  labels: string[];
}

/** Values for Grafana's variables in PromQL: a range, and the labels of an installation. */
export function withoutVariables(expr: string, { namespace = '', release = '' } = {}): string {
  return expr.replaceAll('$__rate_interval', '1m').replaceAll('$namespace', namespace).replaceAll('$release', release);
}

/**
 * Lists the metrics of a query. Labels of a grouping count for every metric inside it.
 * @throws Error where it is no PromQL
 */
export function usesOf(query: string): Use[] {
  const expr = withoutVariables(query);
  const text = ({ from, to }: { from: number; to: number }) => expr.slice(from, to);
  const uses: (Use & { at: number })[] = [];
  const groupings: { label: string; from: number; to: number }[] = [];
  parser.parse(expr).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expr}`);
      if (node.name === 'VectorSelector') uses.push({ metric: '', labels: [], at: node.from });
      const use = uses.at(-1);
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector' && use) use.metric = text(node);
      if (node.name !== 'LabelName') return;
      if (node.node.parent?.name === 'GroupingLabels') groupings.push({ label: text(node), ...groupedPart(node.node) });
      else use?.labels.push(text(node));
    },
  });
  const named = /__name__="([^"]+)"/.exec(expr)?.[1] ?? '';
  return uses.map(({ metric, labels, at }) => {
    const grouped = groupings.filter(({ from, to }) => from <= at && at < to).map(({ label }) => label);
    return {
      metric: metric || named,
      labels: [...new Set([...labels, ...grouped])].filter((label) => label !== '__name__'),
    };
  });
}

/** Finds the scope of a grouping: an aggregation, or both sides of an operator. */
function groupedPart(label: SyntaxNode): { from: number; to: number } {
  let node: SyntaxNode | null = label;
  while (node && node.name !== 'AggregateExpr' && node.name !== 'BinaryExpr') node = node.parent;
  return { from: node?.from ?? 0, to: node?.to ?? Infinity };
}
