import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dialog, expectToast } from '../../pages/dialog.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { SecondAgent } from '../../support/agent.ts';
import { violations } from '../../support/axe.ts';
import { device, enrolmentToken } from '../../support/api.ts';
import { query } from '../../support/database.ts';
import { expect, test } from '../../support/test.ts';

// An agent that is refused waits for 15 s first, then for longer.
const DIALS_AGAIN = { timeout: 120_000 };
test.setTimeout(400_000);

/** A board, as its firmware describes it. */
async function board(serial: string): Promise<{ WARREN_DEVICE_TREE: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-board-'));
  await writeFile(join(folder, 'serial-number'), `${serial}\0`);
  await writeFile(join(folder, 'model'), 'Raspberry Pi 5 Model B Rev 1.0\0');
  return { WARREN_DEVICE_TREE: folder };
}

test('A copied SD card becomes a separate device, and one that moved takes its device along', async ({
  enter,
  warren,
}) => {
  const page = await enter('superAdmin');
  const { hub, database } = warren.facts;
  const { command } = await enrolmentToken(page.request, hub, warren.account('Harbour Lab'));
  const boards = await Promise.all(['e2e-board-1', 'e2e-board-2', 'e2e-board-3'].map(board));
  const [first, second, third] = boards as [(typeof boards)[0], (typeof boards)[0], (typeof boards)[0]];
  const agents: SecondAgent[] = [];
  const keyOf = async (id: string) => {
    const text = "SELECT encode(public_key, 'hex') AS key FROM devices.device_keys WHERE device_id = $1";
    return (await query<{ key: string }>(database, text, [id]))[0]?.key;
  };
  const statusOf = async (id: string) => (await device(page.request, id)).status;
  try {
    const original = await SecondAgent.install(command, undefined, first);
    agents.push(original);
    original.start(first);
    const id = await original.device();
    await expect.poll(() => statusOf(id)).toBe('Connected');
    const key = await keyOf(id);

    await new TerminalPage(page).open(id);
    const copy = await original.copy();
    agents.push(copy);
    copy.start(second);
    await expect(page.getByText("Two machines use this device's identity.")).toBeVisible();
    await page.getByRole('button', { name: 'Decide' }).click();
    const asked = page.getByRole('region', { name: /Two machines use this device's identity: e2e-board-2/ });
    await expect(asked).toContainText('e2e-board-1');
    await expect.poll(() => violations(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Make it a separate device' }).click();
    await new Dialog(page, 'Make a separate device').confirm('Separate');
    await expectToast(
      page,
      'Your request successfully done',
      'The machine with serial e2e-board-2 becomes a separate device.',
    );
    await expect.poll(() => copy.device(), DIALS_AGAIN).not.toBe(id);
    const separate = await copy.device();
    await expect.poll(() => statusOf(separate)).toBe('Connected');
    expect(await device(page.request, separate)).toMatchObject({ serial: 'e2e-board-2' });
    // The copy's key is void for the original.
    await expect.poll(() => keyOf(id), DIALS_AGAIN).not.toBe(key);
    await expect.poll(() => statusOf(id)).toBe('Connected');
    await expect(asked).toBeHidden();

    await copy.stop();
    copy.start(third);
    await page.goto(`/device/ssh/${separate}`);
    await expect(page.getByText("Other hardware uses this device's identity.")).toBeVisible();
    await page.getByRole('button', { name: 'Decide' }).click();
    const moved = page.getByRole('region', { name: /Other hardware uses this device's identity: e2e-board-3/ });
    await moved.getByRole('button', { name: 'Replace the hardware' }).click();
    await new Dialog(page, 'Replace hardware').confirm('Replace');
    await expect.poll(() => statusOf(separate), DIALS_AGAIN).toBe('Connected');
    expect(await device(page.request, separate)).toMatchObject({ serial: 'e2e-board-3' });
  } finally {
    for (const agent of agents) await agent.remove();
    for (const { WARREN_DEVICE_TREE: folder } of boards) await rm(folder, { recursive: true, force: true });
  }
});
