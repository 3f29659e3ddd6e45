import { globSync } from 'node:fs';
import { join } from 'node:path';
import { boards, FILES, ruleFiles } from '@warren/observability/artefacts';
import { queriesOfBoards, queriesOfRules, usesOf, withoutVariables } from '@warren/observability/queries';
import { TerminalPage } from '../../pages/terminal.ts';
import { Prometheus } from '../../support/prometheus.ts';
import { expect, test } from '../../support/test.ts';

const shown = queriesOfBoards(boards);
const ruled = queriesOfRules(Object.values(ruleFiles).flat());

/** Labels that Prometheus itself gives to what it scrapes. */
const SCRAPED = ['instance', 'job'];
/** What has a series only once it has happened; its labels are then held by whoever makes it happen. */
const RARE = ['warren_tunnels_web_requests_total'];
const PATIENCE = { timeout: 30_000 };

/** Every metric that is read, with all labels that are named of it. */
function wanted(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const { metric, labels } of [...shown, ...ruled].flatMap(({ expr }) => usesOf(expr)))
    all.set(metric, [...(all.get(metric) ?? []), ...labels.filter((label) => !SCRAPED.includes(label))]);
  return all;
}

test('dashboards and rules read what a running Warren measures: every metric, every label', async ({ as, warren }) => {
  const prometheus = await Prometheus.start(warren.facts.ops, globSync(join(FILES, 'rules/*.yaml')));
  try {
    // What is measured of people begins after the first scrape, so that it has a rate.
    const terminal = new TerminalPage(await as('superAdmin'));
    await terminal.openReady(warren.facts.device.id);

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
    for (const { at, expr, emptyWhen } of shown) {
      const query = withoutVariables(expr);
      if (emptyWhen) await prometheus.query(query);
      else await expect.poll(() => prometheus.query(query), { message: at, ...PATIENCE }).not.toEqual([]);
    }
    await expect.poll(() => prometheus.brokenRules(), PATIENCE).toEqual([]);
  } finally {
    await prometheus.stop();
  }
});
