import { DevicesPage } from '../../pages/devices.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { SecondAgent } from '../../support/agent.ts';
import { expect, test } from '../../support/test.ts';

test('Add device: the command enrols a machine, which appears by itself and opens', async ({ enter, warren }) => {
  const page = await enter('otherOwner');
  const account = warren.account('Harbour Lab');
  const list = new DevicesPage(page);
  await list.open(account);
  await list.addDevice.first().click();
  const command = await list.dialog.getByText('curl -fsSL').innerText();
  expect(command).toMatch(
    new RegExp(`^curl -fsSL '${warren.facts.hub}/install/${account}\\?token=[^']+' \\| sudo sh$`),
  );
  await expect(list.dialog).toContainText(/Good for /);
  await expect(list.dialog).toContainText('Waiting for the device.');

  const agent = await SecondAgent.install(command, 'just-enrolled');
  try {
    await expect(list.dialog).toContainText('has enrolled');
    await expect(list.dialog).toContainText('Disconnected');
    agent.start();
    await expect(list.dialog.getByText('Connected', { exact: true })).toBeVisible();
    await list.dialog.getByRole('link', { name: 'Open console' }).click();
    const terminal = new TerminalPage(page);
    await terminal.expectState('connected');

    // The command was good for one device.
    const again = await SecondAgent.install(command).catch((error: unknown) => error);
    expect(again).toMatchObject({
      code: 77,
      stderr: expect.stringMatching(/^warren: Enrolment token: used up\. .*\n$/),
    });
  } finally {
    await agent.remove();
  }
  // The first word lasts for seconds only.
  await expect(await list.only(account, 'just-enrolled')).toContainText(/Reconnecting|Disconnected/);
});

test('the command can be made for more devices, and revoked', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const list = new DevicesPage(page);
  await list.open(warren.facts.device.account);
  await list.addDevice.first().click();
  const box = list.dialog.getByText('curl -fsSL');
  const first = await box.innerText();
  await list.dialog.getByLabel('Devices that may use this command').fill('25');
  await list.dialog.getByRole('button', { name: 'Make command' }).click();
  await expect(box).not.toHaveText(first);
  const second = await box.innerText();
  await list.dialog.getByRole('button', { name: 'Revoke command' }).click();
  await expect(list.dialog.getByRole('alert')).toHaveText('This command was revoked. Make a new one.');
  const script = async (command: string) => (await page.request.get(/'(.+)'/.exec(command)?.[1] ?? '')).text();
  expect(await script(second)).toMatch(/revoked[^]*exit 77/);
  // The other one stays good.
  expect(await script(first)).not.toContain('revoked');
});
