import { DevicesPage } from '../../pages/devices.ts';
import { SecondAgent } from '../../support/agent.ts';
import { enrolmentToken } from '../../support/api.ts';
import { violations } from '../../support/axe.ts';
import { reportPast } from '../../support/past.ts';
import { expect, test } from '../../support/test.ts';

const METRICS = ['CPU', 'Memory', 'Disks', 'Temperature', 'Network', 'Load'];
/** Of samples: enough for a line, and few batches. */
const HOURS = 1;

test('two selected devices are compared: their facts, and a chart of each metric', async ({
  enter,
  estate,
  warren,
}) => {
  // The hub asks a new device for its first samples within two minutes.
  test.setTimeout(360_000);
  const page = await enter('superAdmin');
  const { command } = await enrolmentToken(page.request, warren.facts.hub, estate.id, 2);
  const agents = [await SecondAgent.install(command, 'barn'), await SecondAgent.install(command, 'silo')];
  try {
    await Promise.all(agents.map(({ state }) => reportPast(state, HOURS)));
    const [barn, silo] = await Promise.all(agents.map((agent) => agent.device()));
    const { id: mast } = await estate.device('mast', undefined, { kernel: '5.10' });

    const list = new DevicesPage(page);
    await list.open(`${estate.id}?sort=name`);
    const bar = page.getByRole('region', { name: 'Selected devices' });
    const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).click();
    const compare = bar.getByRole('link', { name: 'Compare' });
    await select('barn');
    await expect(bar).toContainText('1 selected');
    await expect(compare).toHaveCount(0);
    await select('silo');
    await expect(compare).toBeVisible();
    // A page has room for two.
    await select('mast');
    await expect(bar).toContainText('3 selected');
    await expect(compare).toHaveCount(0);
    await select('mast');
    await compare.click();

    await expect(page).toHaveURL(`/devices/compare/${barn}?with=${silo}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Compare devices' })).toBeVisible();
    const facts = page.getByRole('table', { name: 'Facts of both devices' });
    for (const name of ['barn', 'silo'])
      await expect(facts.getByRole('columnheader', { name: new RegExp(`^${name}`) })).toBeVisible();
    const charts = page.getByRole('region', { name: 'Charts of both devices' });
    await charts.getByText('1 hour', { exact: true }).click();
    const chart = (metric: string) => charts.getByRole('img', { name: new RegExp(`^${metric}\\. `) });
    for (const metric of METRICS) {
      await expect(chart(metric), metric).toBeVisible();
      for (const name of ['barn', 'silo'])
        await expect(chart(metric), metric).toHaveAccessibleName(
          new RegExp(`\\. ${name}(, [^:]+)?: last [\\d.,]+.*, from `),
        );
    }
    await expect.poll(() => violations(page)).toEqual([]);

    await expect(page).toHaveURL(`/devices/compare/${barn}?with=${silo}&range=1h`);
    await page.reload();
    await expect(chart('CPU')).toHaveAccessibleName(/barn: last .*silo: last /);

    await page.getByRole('button', { name: 'Compare with another' }).click();
    await page.getByRole('combobox', { name: 'Other device' }).click();
    await expect(page.getByRole('option', { name: /^barn/ })).toHaveCount(0);
    await page.getByRole('option', { name: /^mast/ }).click();
    await expect(page).toHaveURL(new RegExp(`/devices/compare/${barn}\\?.*with=${mast}`));
    await expect(facts.getByRole('columnheader', { name: /^mast/ })).toBeVisible();
    await expect(facts.getByRole('row', { name: /^Kernel Differs .*5\.10$/ })).toBeVisible();
    // It has no samples.
    await expect(chart('CPU')).toHaveAccessibleName(/barn: last /);
    await expect(chart('CPU')).not.toHaveAccessibleName(/silo|mast/);
  } finally {
    for (const agent of agents) await agent.remove();
  }
});

test('a device of another account is not compared', async ({ enter, estate, warren }) => {
  const own = await estate.device('mast');
  const { email } = await estate.owner('Olga Orchard');
  const page = await enter(email);
  await page.goto(`/devices/compare/${own.id}?with=${warren.facts.device.id}`);
  await expect(page.getByRole('heading', { name: 'Failed to fetch device details' })).toBeVisible();
  await expect(page.getByText('mast')).toHaveCount(0);
});
