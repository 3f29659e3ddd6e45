import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Prometheus, PROMETHEUS_VERSIONS, SCRAPE_LABELS } from '@warren/infra/prometheus';
import { boards, FILES, ruleFiles } from '@warren/observability/artefacts';
import { queriesOfBoards, queriesOfRules, usesOf, withoutVariables } from '@warren/observability/queries';
import { TerminalPage } from '../../pages/terminal.ts';
import { expect, test } from '../../support/test.ts';

const shown = queriesOfBoards(boards);
const ruled = queriesOfRules(Object.values(ruleFiles).flat());

/** Labels that Prometheus itself gives to what it scrapes. */
const SCRAPED = ['instance', 'job'];
/** What kube-state-metrics and the kubelets measure, where there is a cluster. */
const OF_KUBERNETES = /^kube(let)?_/;
/** What has a series only once it has happened or is configured; its labels are then held by the test that makes it so. */
const RARE = [
  'warren_devices_bulk_devices_total',
  'warren_tunnels_web_requests_total',
  'warren_gateway_idp_metadata_valid_until_timestamp_seconds',
  'warren_backup_due_timestamp_seconds',
  'warren_gateway_hub_certificate_issued_timestamp_seconds',
  'warren_gateway_hub_certificate_expiry_timestamp_seconds',
  'warren_gateway_saml_certificate_expiry_timestamp_seconds',
];
const PATIENCE = { timeout: 30_000 };

/** Every metric of Warren's that is read, with all labels that are named of it. */
function wanted(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const { metric, labels } of [...shown, ...ruled].flatMap(({ expr }) => usesOf(expr)))
    if (!OF_KUBERNETES.test(metric))
      all.set(metric, [...(all.get(metric) ?? []), ...labels.filter((label) => !SCRAPED.includes(label))]);
  return all;
}

for (const version of PROMETHEUS_VERSIONS) {
  test(`dashboards and rules read what a running Warren measures, with ${version}: every metric, every label`, async ({
    enter,
    warren,
  }) => {
    const prometheus = await Prometheus.start(version, warren.facts.ops, globSync(join(FILES, 'rules/*.yaml')));
    try {
      // What is measured of people begins after the first scrape, so that it has a rate.
      const terminal = new TerminalPage(await enter('superAdmin'));
      await terminal.openReady(warren.facts.device.id);
      await expectSeries(prometheus);
      await expectAnswers(prometheus);
      await expect.poll(() => prometheus.brokenRules(), PATIENCE).toEqual([]);
    } finally {
      await prometheus.stop();
    }
  });
}

async function expectSeries(prometheus: Prometheus): Promise<void> {
  for (const [metric, labels] of wanted()) {
    if (RARE.includes(metric)) {
      await expect.poll(() => prometheus.describes(metric), { message: metric, ...PATIENCE }).toBe(true);
      continue;
    }
    await expect(async () => {
      const there = await prometheus.labels(metric);
      expect({ metric, missing: labels.filter((label) => !there.includes(label)) }).toEqual({ metric, missing: [] });
      expect({ metric, there }).not.toEqual({ metric, there: [] });
    }).toPass(PATIENCE);
  }
}

async function expectAnswers(prometheus: Prometheus): Promise<void> {
  for (const { at, expr, emptyWhen } of shown) {
    const query = withoutVariables(expr, SCRAPE_LABELS);
    if (emptyWhen) await prometheus.query(query);
    else await expect.poll(() => prometheus.query(query), { message: at, ...PATIENCE }).not.toEqual([]);
  }
}
