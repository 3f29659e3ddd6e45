import { readFile } from 'node:fs/promises';
import type { BrowserContext } from '@playwright/test';
import { signIn } from '../../pages/sign-in.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { device, devices, enrolmentToken, getJson } from '../api.ts';
import type { Machine } from '../machine.ts';
import { expect } from '../test.ts';
import { OPERATOR, type Installation } from './installation.ts';

interface Use {
  installation: Installation;
  /** The operator's browser, not signed in yet. */
  context: BrowserContext;
  /** Becomes the first device. */
  machine: Machine;
  host: string;
}

/**
 * Does what the first person does: signs in, installs the agent by the line that the hub shows, and opens the device's shell.
 * @returns the device's id
 */
export async function useFirst({ installation, context, machine, host }: Use): Promise<string> {
  const page = await context.newPage();
  await signIn(page, OPERATOR);
  const workspace = await getJson<{ operator_account_id: string }>(context.request, '/server/get_workspace');
  const { command } = await enrolmentToken(context.request, installation.hub, workspace.operator_account_id);
  const authority = await readFile(installation.ca, 'utf8');
  await machine.says(`cat >/root/ca.pem <<'END'\n${authority}END`);
  const said = await machine.sh(
    `export CURL_CA_BUNDLE=/root/ca.pem WARREN_CA=/root/ca.pem; ${command.replace('sudo sh', 'sh')}`,
  );
  expect(said.text).toContain('Connected since');
  const id = (await devices(context.request, `search=${host}`)).devices[0]?.id ?? '';
  const status = async () => (await device(context.request, id)).status;
  await expect.poll(status, { timeout: 90_000 }).toBe('Connected');
  const terminal = new TerminalPage(page);
  await terminal.openReady(id);
  await terminal.run('echo $((6*7)) on $(hostname)');
  await terminal.expectLine(`42 on ${host}`);
  await page.close();
  return id;
}
