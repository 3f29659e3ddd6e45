import { parser } from '@prometheus-io/lezer-promql';
import type { Board } from './dashboard.ts';

/** Selects an installation by Grafana's variables, which are empty for series without the labels. */
const CHOSEN = 'namespace="$namespace",release="$release"';

const RATE_INTERVAL = '$__rate_interval';
/** As long as Grafana's variable, so that offsets in the text don't change. */
const AS_LONG = '1m'.padStart(RATE_INTERVAL.length, '0');

/**
 * Restricts a query to the selected installation.
 * @param expr PromQL, which may have Grafana's `$__rate_interval` as a range
 * @throws Error where it is no PromQL
 */
export function ofChosen(expr: string): string {
  const inserts: { at: number; text: string }[] = [];
  parser.parse(expr.replaceAll(RATE_INTERVAL, AS_LONG)).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expr}`);
      if (node.name !== 'VectorSelector') return;
      const matchers = node.node.getChild('LabelMatchers');
      if (!matchers) inserts.push({ at: node.to, text: `{${CHOSEN}}` });
      else inserts.push({ at: matchers.from + 1, text: matchers.firstChild ? `${CHOSEN},` : CHOSEN });
    },
  });
  return inserts.reduceRight((text, { at, text: more }) => text.slice(0, at) + more + text.slice(at), expr);
}

/** Restricts all queries of a dashboard to the selected installation. */
export function boardOfChosen(board: Board): Board {
  const panels = board.panels.map((panel) => ({
    ...panel,
    lines: panel.lines.map((line) => ({ ...line, expr: ofChosen(line.expr) })),
  }));
  return { ...board, panels };
}
