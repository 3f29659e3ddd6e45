/** The services that expose metrics, as their label `component` names them. */
export const COMPONENTS = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'tunnels'];

/** What runs all services in one process calls itself. */
const HUB = 'hub';

/** Selects what every process of Node exposes of Warren's services alone. */
export const OURS = `component=~"${[...COMPONENTS, HUB].join('|')}"`;

/** PromQL that the dashboards share. Rates go over Grafana's own interval, which is never shorter than four scrapes. */
const RANGE = '$__rate_interval';

/** Per second, summed by labels. */
export function rate(selector: string, ...by: string[]): string {
  return `sum${grouped(by)} (rate(${selector}[${RANGE}]))`;
}

/** A quantile of a histogram over all processes, by labels. `selector` names it without `_bucket`: `name{label="value"}`. */
export function quantile(q: number, selector: string, ...by: string[]): string {
  const [name = '', rest = ''] = selector.split(/(?=\{)/);
  return `histogram_quantile(${q}, sum${grouped([...by, 'le'])} (rate(${name}_bucket${rest}[${RANGE}])))`;
}

/** The bucket of a histogram up to a bound, which Prometheus 2 stores as it is exposed, and version 3 as a decimal number: `1`, `1.0`. */
export function upTo(bound: number): string {
  return Number.isInteger(bound) ? `le=~"${bound}([.]0)?"` : `le="${bound}"`;
}

function grouped(by: string[]): string {
  return by.length > 0 ? ` by (${by.join(', ')})` : '';
}
