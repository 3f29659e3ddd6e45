import type { Page } from '@playwright/test';
import { DesktopPage } from '../../pages/desktop.ts';
import { GuestLinks, GuestPage } from '../../pages/guest.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { setVnc } from '../../support/api.ts';
import { connectPumpHouse } from '../../support/connected.ts';
import { allowGuestLinks, expectNoUser, guestEvents, type GuestEvent } from '../../support/guests.ts';
import { bytesOf, closedRecording, setRecording } from '../../support/recordings.ts';
import { expect, measured, test } from '../../support/test.ts';
import { VncDesktop } from '../../support/vnc.ts';

/** What a guest has open has to end within this. */
const PROMISED_MS = 2_000;

let vnc: VncDesktop | undefined;
test.afterEach(async () => {
  await vnc?.stop();
  vnc = undefined;
});

/** Waits until what a guest has open has ended, for a reason that is shown. */
async function expectOut(guest: Page, what: string, after: string): Promise<void> {
  const began = performance.now();
  await expect(guest.locator('[role=status][data-state=connected]')).toHaveCount(0, { timeout: PROMISED_MS });
  measured(`${what} of a guest ends after ${after}`, performance.now() - began, 'ms');
  await new GuestPage(guest).expectEnded();
  expect((await guest.request.get('/api/guest/session')).status()).toBe(401);
}

/** Opens the terminal of a link, and types in it. */
async function join(guest: Page, name: string): Promise<TerminalPage> {
  await new GuestPage(guest).join(name, 'terminal');
  const terminal = new TerminalPage(guest);
  await terminal.expectState('connected');
  await terminal.run('echo $((6*7))');
  await terminal.expectLine('42');
  return terminal;
}

test('guests use terminal and desktop by links, are seen by their host, and are out within 2 s', async ({
  enter,
  estate,
  office,
  warren,
}) => {
  test.setTimeout(240_000);
  const { hub } = warren.facts;
  const member = await estate.user('Max Field');
  const boss = await enter('superAdmin');
  const { agent, id } = await connectPumpHouse(boss.request, hub, estate);
  try {
    const host = await enter(member.email);
    await host.goto(`/devices/${estate.id}/${id}`);
    await expect(host.getByRole('heading', { name: 'pump-house' })).toBeVisible();
    // Off until the account allows them.
    const links = new GuestLinks(host);
    await expect(links.open).toHaveCount(0);
    await allowGuestLinks(office, estate);

    await links.open.click();
    await links.dialog.getByRole('textbox', { name: 'PIN' }).fill('4711');
    const link = await links.create();
    expect(link).toMatch(new RegExp(`^${hub}/guest/[0-9a-f-]{36}#[\\w-]{43}$`));

    const guest = await enter(null, { viewport: { width: 390, height: 780 } });
    await guest.goto(link);
    await expect(guest.getByText('Max Field invites you')).toBeVisible();
    await guest.getByRole('textbox', { name: 'PIN' }).fill('0000');
    await new GuestPage(guest).join('Grace of Pumps Ltd', 'terminal');
    await expect(guest.getByRole('alert')).toContainText('4 tries are left');
    await guest.getByRole('textbox', { name: 'PIN' }).fill('4711');
    // Shown for 5 seconds only.
    const announced = expect(host.getByText('guest arrived')).toBeVisible({ timeout: 60_000 });
    await Promise.all([join(guest, 'Grace of Pumps Ltd'), announced]);
    expect(new URL(guest.url()).hash).toBe('');
    await expectNoUser(guest.request, id);

    await expect(links.list.getByRole('listitem').filter({ hasText: 'Grace of Pumps Ltd' }).last()).toContainText(
      'Here now',
    );
    const answered = host.waitForResponse((response) => response.request().method() === 'DELETE');
    await links.list.getByRole('button', { name: /^End the guest link/ }).click();
    await answered;
    await expectOut(guest, 'the terminal', 'its host has ended it');
    await expect(links.list.getByRole('button', { name: /^End the guest link/ })).toHaveCount(0);
    await guest.goto('about:blank');
    await guest.goto(link);
    await new GuestPage(guest).expectEnded();

    vnc = await VncDesktop.tiger();
    await setVnc(boss.request, hub, id, vnc.port);
    const made = async (purpose: string) => {
      const wanted = { data: { purpose, uses: 1 }, headers: { origin: hub } };
      const answer = await host.request.post(`/api/devices/${id}/guest-links`, wanted);
      return ((await answer.json()) as { url: string }).url;
    };
    await setRecording(boss.request, hub, estate.id, 'required');
    await guest.goto(await made('terminal'));
    await join(guest, 'Edith');
    await expect(guest.getByRole('button', { name: 'Recorded', exact: true })).toBeVisible();
    const viewer = await enter(null);
    await viewer.goto(await made('desktop'));
    await new GuestPage(viewer).join('Hedy', 'desktop');
    await new DesktopPage(viewer).expectShown();
    await office.call('PATCH', `/api/users/${member.id}`, { status: 'Inactive' });
    await Promise.all([
      expectOut(guest, 'the terminal', 'its maker has been disabled'),
      expectOut(viewer, 'the desktop', 'its maker has been disabled'),
    ]);

    // It is of the guest, not of the maker of the link, and is kept after the link has ended.
    const recording = await closedRecording(boss.request, `account=${estate.id}&device=${id}`, () => true);
    const isOpen = ({ action, actor }: GuestEvent) => action === 'terminal.open' && actor.name === 'Edith';
    await expect.poll(async () => (await guestEvents(office, estate)).some(isOpen)).toBe(true);
    const { id: edith = '' } = (await guestEvents(office, estate)).find(isOpen)?.actor ?? {};
    const person = { id: edith, email: `guest-${edith}@guest.invalid` };
    expect(recording).toMatchObject({ kind: 'terminal', person, gaps: 0 });
    expect((await bytesOf(boss.request, recording.id)).toString()).toContain('42');
    expect((await guest.request.get(`/api/recordings/${recording.id}`)).status()).toBe(401);

    const seen = async () =>
      (await guestEvents(office, estate)).map((one) => `${one.action} ${one.outcome} ${one.actor.name}`);
    await expect
      .poll(seen)
      .toEqual(
        expect.arrayContaining([
          'guest_link.redeem refused Grace of Pumps Ltd',
          'guest_link.redeem success Grace of Pumps Ltd',
          'terminal.open success Grace of Pumps Ltd',
          'terminal.close success Grace of Pumps Ltd',
          'terminal.close success Edith',
          'desktop.open success Hedy',
          'desktop.close success Hedy',
        ]),
      );
  } finally {
    await agent.remove();
  }
});
