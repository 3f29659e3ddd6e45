import type { Browser, PlaywrightWorkerArgs } from '@playwright/test';
import { signIn } from '../pages/sign-in.ts';
import { enrolmentToken } from './api.ts';
import { enrolDevice } from './enrol.ts';
import { person, type Who } from './people.ts';

interface Grove {
  playwright: PlaywrightWorkerArgs['playwright'];
  browser: Browser;
  hub: string;
  account: string;
  /** Who makes the token. */
  who: Who;
  names: readonly string[];
  /** The first three numbers of the devices' addresses. */
  network: string;
}

/** Enrols devices that never connect, with addresses from 1 on in the order of their names. */
export async function enrolGrove({ playwright, browser, hub, account, who, names, network }: Grove): Promise<void> {
  const context = await browser.newContext({ baseURL: hub });
  const page = await context.newPage();
  await signIn(page, person(who).email);
  const { token } = await enrolmentToken(page.request, hub, account, names.length);
  const request = await playwright.request.newContext({ baseURL: hub });
  for (const [index, hostname] of names.entries())
    await enrolDevice(request, account, token, { hostname, ip: `${network}.${index + 1}` });
  await request.dispose();
  await context.close();
}
