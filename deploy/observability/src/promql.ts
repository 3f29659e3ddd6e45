/** Values of the label `component`: the services with metrics. */
export const COMPONENTS = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels'];

/** The `component` of the process with all services. */
const HUB = 'hub';

/** Selects the default metrics of Node for Warren's services. */
export const OURS = `component=~"${[...COMPONENTS, HUB].join('|')}"`;

/** PromQL that the dashboards share. Rates go over Grafana's own interval, which is never shorter than four scrapes. */
const RANGE = '$__rate_interval';

/** Returns the rate per second, summed by labels. */
export function rate(selector: string, ...by: string[]): string {
  return `sum${grouped(by)} (rate(${selector}[${RANGE}]))`;
}

/** Returns a quantile of a histogram over all processes, by labels. `selector` is without `_bucket`: `name{label="value"}`. */
export function quantile(q: number, selector: string, ...by: string[]): string {
  const [name = '', rest = ''] = selector.split(/(?=\{)/);
  return `histogram_quantile(${q}, sum${grouped([...by, 'le'])} (rate(${name}_bucket${rest}[${RANGE}])))`;
}

/** Selects a bucket of a histogram. Prometheus 2 stores its bound as exposed, version 3 as a decimal number: `1`, `1.0`. */
export function upTo(bound: number): string {
  return Number.isInteger(bound) ? `le=~"${bound}([.]0)?"` : `le="${bound}"`;
}

function grouped(by: string[]): string {
  return by.length > 0 ? ` by (${by.join(', ')})` : '';
}
