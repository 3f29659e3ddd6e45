import { expect, it } from '@jest/globals';
import { of, rendered } from './chart.ts';

it('labels what is scraped with its namespace and release', async () => {
  const [monitor] = of(await rendered('production'), 'ServiceMonitor');
  expect(monitor?.['spec'].endpoints[0].relabelings).toEqual([
    { targetLabel: 'namespace', replacement: 'hub' },
    { targetLabel: 'release', replacement: 'w' },
  ]);
});

it('brings the rules and dashboards when they are asked for', async () => {
  const asked = ['--set', 'observability.rules.enabled=true', '--set', 'observability.dashboards.enabled=true'];
  const items = await rendered('production', ...asked);
  expect(of(items, 'PrometheusRule')[0]?.['spec'].groups.length).toBeGreaterThan(0);
  const boards = of(items, 'ConfigMap').filter(({ metadata }) => metadata.labels?.grafana_dashboard === '1');
  expect(boards).toHaveLength(5);
  for (const { data } of boards)
    for (const text of Object.values(data)) expect(() => JSON.parse(String(text))).not.toThrow();
});

it('has alerts link to the runbooks of the address that is asked for', async () => {
  const urls = async (...more: string[]) => {
    const items = await rendered('production', '--set', 'observability.rules.enabled=true', ...more);
    return of(items, 'PrometheusRule').flatMap(({ spec }) => JSON.stringify(spec).match(/"runbook_url":"[^"]*/g) ?? []);
  };
  const elsewhere = await urls('--set', 'observability.rules.runbooks=https://wiki.example.com/warren');
  expect(elsewhere.length).toBeGreaterThan(20);
  for (const url of elsewhere) expect(url).toMatch(/:"https:\/\/wiki\.example\.com\/warren\/[a-z-]+\.md$/);
  for (const url of await urls()) expect(url).toMatch(/:"https:\/\/docs\.warren\.example\/runbooks\/[a-z-]+\.md$/);
});
