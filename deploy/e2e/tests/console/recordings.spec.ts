import type { Page } from '@playwright/test';
import { TerminalPage } from '../../pages/terminal.ts';
import { endTerminals, getJson } from '../../support/api.ts';
import { playByClient, playInPage } from '../../support/asciinema.ts';
import { setRecording, type RecordingJson } from '../../support/recordings.ts';
import { expect, test } from '../../support/test.ts';

const screenOf = (page: Page) => page.getByRole('group', { name: /^Recorded screen of/ }).locator('.xterm-rows');
const slider = (page: Page) => page.getByRole('slider', { name: 'Position' });

/** Waits until a recording is closed. */
async function ended(page: Page, id: string): Promise<RecordingJson> {
  const read = async () =>
    (await getJson<{ recording: RecordingJson }>(page.request, `/api/recordings/${id}`)).recording;
  await expect.poll(async () => (await read()).ended, { timeout: 60_000 }).not.toBeNull();
  return read();
}

test('a shell is recorded, replayed, searched, exported, held and deleted', async ({ enter, warren }) => {
  const { hub, device } = warren.facts;
  const boss = await enter('superAdmin');
  const owner = new TerminalPage(await enter('member'));
  await endTerminals(owner.page.request, hub, device.id);
  await setRecording(boss.request, hub, device.account, 'required', { search: true });
  let one: RecordingJson;
  try {
    await owner.openReady(device.id);
    const mark = owner.page.getByRole('button', { name: 'Recorded', exact: true });
    await mark.click();
    await expect(owner.page.getByText(/requires that terminals are recorded/)).toBeVisible();
    await owner.page.keyboard.press('Escape');
    await owner.run('echo first-$((40+2))');
    await owner.expectLine('first-42');
    await owner.run(String.raw`printf '\033]133;C;cmdline_url=make%%20all\007built-%s\n\033]133;D;2\007' $((3*3))`);
    await owner.expectLine('built-9');

    // While it is live, it is in the list, and can be followed.
    const { recordings } = await getJson<{ recordings: { id: string }[] }>(
      boss.request,
      `/api/recordings?account=${device.account}&live=true`,
    );
    const id = recordings[0]?.id ?? '';
    await boss.goto(`/sessions?account=${device.account}`);
    await expect(boss.getByRole('row').filter({ hasText: 'Live' })).toHaveCount(1);
    await expect
      .poll(
        async () =>
          (await getJson<{ recording: { chunks: number } }>(boss.request, `/api/recordings/${id}`)).recording.chunks,
      )
      .toBeGreaterThan(0);
    await boss.getByRole('row').filter({ hasText: 'Live' }).getByRole('link').click();
    await boss.getByRole('button', { name: 'Follow live' }).click();
    await expect(screenOf(boss)).toContainText('built-9');
    await owner.run('echo later-$((50+5))');
    await expect(screenOf(boss)).toContainText('later-55');

    await owner.run('exit 3');
    await owner.expectState('exit');
    one = await ended(boss, id);
    await expect(boss.getByText('Complete and signed').first()).toBeVisible();

    // A person without the permission sees the entry alone.
    await owner.page.goto('/sessions');
    await owner.page.getByRole('row').filter({ hasText: 'Exit 3' }).first().getByRole('link').click();
    await expect(owner.page.getByText(/but not play it/)).toBeVisible();
    await expect(owner.page.getByRole('button', { name: 'Export' })).toHaveCount(0);
    expect((await owner.page.request.get(`/api/recordings/${one.id}/chunks/0`)).status()).toBe(403);
  } finally {
    await setRecording(boss.request, hub, device.account, 'off');
  }

  await test.step('replay and seek', async () => {
    await boss.goto(`/sessions/${one.id}`);
    await expect(screenOf(boss)).toContainText('first-42');
    await expect(boss.getByRole('button', { name: 'Play again' })).toBeVisible();
    await expect(screenOf(boss)).toContainText('later-55');
    await slider(boss).press('Home');
    await expect(screenOf(boss)).not.toContainText('later-55');
    await slider(boss).press('End');
    await expect(screenOf(boss)).toContainText('later-55');
    const moment = boss.getByRole('list', { name: 'Moments' }).getByRole('button', { name: /make all exit 2/ });
    await moment.click();
    await expect(screenOf(boss)).toContainText('built-9');
    await expect(screenOf(boss)).not.toContainText('later-55');
    await expect(boss.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    await boss.keyboard.press('?');
    await expect(boss.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await boss.keyboard.press('Escape');
  });

  await test.step('search', async () => {
    await expect
      .poll(
        async () =>
          (
            await getJson<{ hits: unknown[] }>(
              boss.request,
              `/api/recordings/search?search=later-55&recording=${one.id}`,
            )
          ).hits.length,
        { timeout: 120_000 },
      )
      .toBeGreaterThan(0);
    await boss.goto(`/sessions?account=${device.account}`);
    await boss.getByRole('searchbox', { name: 'Search what was on screen' }).fill('later-55');
    await boss
      .getByRole('link', { name: /later-55/ })
      .first()
      .click();
    await expect(boss).toHaveURL(/[?&]t=[\d.]+&find=later-55/);
    await expect(screenOf(boss)).toContainText('later-55');
    await expect(
      boss
        .getByRole('list', { name: 'Moments' })
        .getByRole('button', { name: /later-55/ })
        .first(),
    ).toBeVisible();
  });

  await test.step('export', async () => {
    await boss.getByRole('button', { name: 'Export' }).click();
    const download = boss.waitForEvent('download');
    await boss.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.cast$/);
    const file = await (await download).path();
    const shown = await playByClient(file);
    for (const line of ['first-42', 'built-9']) expect(shown).toContain(line);
    const page = await boss.context().newPage();
    await playInPage(page, file);
    await expect(page.locator('.ap-term')).toContainText('built-9');
    await page.close();
  });

  await test.step('hold and delete', async () => {
    const menu = boss.getByRole('button', { name: /^Actions for/ });
    await menu.click();
    await boss.getByRole('menuitem', { name: 'Place legal hold' }).click();
    await boss.getByRole('textbox', { name: 'Reason' }).fill('Case 2026-14');
    await boss.getByRole('button', { name: 'Place hold' }).click();
    await expect(boss.getByRole('img', { name: /On legal hold by .*: Case 2026-14/ })).toBeVisible();
    const refused = await boss.request.delete(`/api/recordings/${one.id}`, { headers: { origin: hub } });
    expect(refused.status()).toBe(409);
    await menu.click();
    await boss.getByRole('menuitem', { name: 'Release legal hold' }).click();
    await boss.getByRole('button', { name: 'Release hold' }).click();
    await expect(boss.getByRole('img', { name: /On legal hold/ })).toHaveCount(0);
    await menu.click();
    await boss.getByRole('menuitem', { name: 'Delete recording' }).click();
    const dialog = boss.getByRole('dialog', { name: 'Delete recording' });
    await dialog.getByRole('textbox').fill((await boss.getByRole('heading', { level: 1 }).textContent()) ?? '');
    await dialog.getByRole('button', { name: 'Delete recording' }).click();
    await expect(boss).toHaveURL(/\/sessions$/);
    expect((await boss.request.get(`/api/recordings/${one.id}`)).status()).toBe(404);
  });
});
