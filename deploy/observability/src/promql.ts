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

function grouped(by: string[]): string {
  return by.length > 0 ? ` by (${by.join(', ')})` : '';
}
