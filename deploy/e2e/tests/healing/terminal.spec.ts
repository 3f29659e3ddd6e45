import { readFile } from 'node:fs/promises';
import { TerminalPage } from '../../pages/terminal.ts';
import { soakBut } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';

for (const name of ['tunnels', 'gateway'] as const) {
  test(
    `the shell lives on when ${name} is killed, and loses and repeats nothing`,
    soakBut('tunnels')(name),
    async ({ as, warren }) => {
      const terminal = new TerminalPage(await as('superAdmin'));
      await terminal.openReady(warren.facts.device.id);
      await terminal.run('kept=$((6*7)); for n in 1 2 3 4 5 6 7 8; do echo "line $n"; sleep 0.5; done');
      await terminal.expectLine('line 2');
      const since = Date.now();
      const hadState = await terminal.watchStates();
      await warren.hold(name);
      // Until the first attempt, half a second later.
      await hadState('disconnected');
      // The second from the first attempt on that fails, the third once the lease of the killed replica has expired.
      await expect(terminal.status).toHaveText(
        /^(Disconnected from |Unable to connect to the server\.$|.* lost its connection\.)/,
      );
      await expect(terminal.reconnect).toBeVisible();
      await warren.start(name);
      await terminal.expectState('connected');
      measured(`${name} killed and started, to the shell back`, Date.now() - since, 'ms');
      await terminal.expectPrompt();
      const counted = (await terminal.lines()).filter((line) => line.startsWith('line '));
      expect(counted).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `line ${n}`));
      await terminal.run('echo still $kept');
      await terminal.expectLine('still 42');
    },
  );
}

test('keys typed while the link is away are held back, and reach the shell when it is there again', async ({
  as,
  warren,
}) => {
  const page = await as('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  await warren.hold('tunnels');
  await expect(terminal.status).not.toHaveAttribute('data-state', 'connected');
  await terminal.type('echo held $((6*7))');
  await expect(page.getByText('18 keys held back')).toBeVisible();
  await warren.start('tunnels');
  await terminal.expectState('connected');
  await terminal.press('Enter');
  await terminal.expectLine('held 42');
});

test('a browser that was offline comes back to its shell, and types what was held back, once', async ({
  as,
  warren,
}) => {
  const page = await as('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  await page.context().setOffline(true);
  // Chromium keeps the sockets that are open when it goes offline, so their other end breaks.
  await warren.kill('gateway');
  await warren.ready('gateway');
  await expect(terminal.status).not.toHaveAttribute('data-state', 'connected');
  await expect(page.getByText(/^Reconnecting/)).toBeVisible();
  await terminal.type('echo held-$((6*7))');
  await expect(page.getByText('18 keys held back')).toBeVisible();
  // Shown for 6 seconds only.
  const back = expect(page.getByText('Back, nothing lost')).toBeVisible();
  await Promise.all([page.context().setOffline(false), terminal.expectState('connected'), back]);
  await terminal.press('Enter');
  await terminal.expectLine('held-42');
  expect((await terminal.lines()).filter((line) => line.includes('echo held'))).toHaveLength(1);
});

/** The process that keeps the terminal of a shell. */
async function keeperOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  if (status.startsWith('Name:\thelper\n')) return pid;
  const parent = Number(/^PPid:\t(\d+)$/m.exec(status)?.[1] ?? 0);
  if (parent <= 1) throw new Error('nothing keeps the shell');
  return keeperOf(parent);
}

test('when the keeper of a shell is gone so is the shell: Reconnect opens another once the device is back', async ({
  as,
  warren,
}) => {
  const page = await as('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('echo shell=$$');
  const shell = async () => /^shell=(\d+)$/m.exec((await terminal.lines()).join('\n'))?.[1];
  await expect.poll(shell).toBeDefined();
  const keeper = await keeperOf(Number(await shell()));
  await warren.hold('agent');
  await terminal.expectState('client_disconnect');
  await expect(page.getByText('The shell keeps running and reconnects here.').first()).toBeVisible();
  process.kill(keeper, 'SIGKILL');
  await warren.start('agent');
  await terminal.expectEnd('fail');
  await expect(page.getByText(/^Unable to connect .+\. Please try again later\.$/).first()).toBeVisible();
  await terminal.reconnect.click();
  await terminal.expectState('connected');
  await terminal.run('clear; echo $((6*7))');
  await terminal.expectLine('42');
});

test('the shell lives on when the agent is killed, and takes what was held back', async ({ as, warren }) => {
  const page = await as('superAdmin');
  const terminal = new TerminalPage(page);
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('kept=$((6*7))');
  await warren.hold('agent');
  await terminal.expectState('client_disconnect');
  await expect(page.getByText('The shell keeps running and reconnects here.').first()).toBeVisible();
  await terminal.type('echo still-$kept');
  await expect(page.getByText('16 keys held back')).toBeVisible();
  await warren.start('agent');
  await terminal.expectState('connected');
  await terminal.press('Enter');
  await terminal.expectLine('still-42');
});

test('a device that is not connected: the page says so, and comes up when it is', async ({ as, warren }) => {
  const page = await as('superAdmin');
  await warren.hold('agent');
  await page.goto(`/device/ssh/${warren.facts.device.id}`);
  await new TerminalPage(page).expectState('fail');
  await expect(page.getByText(/^Unable to connect .+\. Please try again later\.$/).first()).toBeVisible();
  await warren.start('agent');
  await new TerminalPage(page).reconnect.click();
  await new TerminalPage(page).expectState('connected');
});
