import { test as base, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test';
import { signIn } from '../../pages/sign-in.ts';
import { person, type Who } from '../people.ts';
import { call } from './call.ts';
import { SecureDevice } from './device.ts';
import { SecureHub } from './hub.ts';

interface Accounts {
  accounts: { id: string; name: string }[];
}

/** Only ends a copy that hangs: on a busy machine a start takes minutes. */
const START_MS = 300_000;

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Used {
  /** A page of a separate browser, with the session of this person; without a session for null. It has no URL yet. */
  enter: (who: Who | null) => Promise<Page>;
}

interface Kept {
  /** The domain of the devices' hosts. */
  domain: string;
  secure: SecureHub;
  /** What a person's browser stores after sign-in. */
  sessionOf: (who: Who) => Promise<Session>;
  /** Two devices of one account. */
  devices: { garden: SecureDevice; cellar: SecureDevice };
}

/** Tests on a separate copy that is reached over https. */
export const test = base.extend<Used, Kept>({
  domain: ['devices.hub.localhost', { option: true, scope: 'worker' }],
  secure: [
    async ({ domain }, use) => {
      const hub = await SecureHub.start(domain);
      await use(hub);
      await hub.stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
  sessionOf: [
    async ({ browser, secure }, use) => {
      const kept = new Map<Who, Promise<Session>>();
      const make = async (who: Who) => {
        const context = await browser.newContext(optionsOf(secure));
        await signIn(await context.newPage(), person(who).email);
        const session = await context.storageState();
        await context.close();
        return session;
      };
      await use((who) => {
        const session = kept.get(who) ?? make(who);
        kept.set(who, session);
        return session;
      });
    },
    { scope: 'worker' },
  ],
  devices: [
    async ({ browser, secure, sessionOf }, use) => {
      const context = await browser.newContext({ ...optionsOf(secure), storageState: await sessionOf('superAdmin') });
      const operator = await context.newPage();
      await operator.goto('/');
      const { account } = person('member');
      const { accounts } = await call<Accounts>(operator, 'GET', '/api/accounts?page=1&limit=50');
      const id = accounts.find(({ name }) => name === account)?.id ?? '';
      const enrol = (name: string) => SecureDevice.enrol(name, secure, operator, id);
      const [garden, cellar] = await Promise.all([enrol('garden'), enrol('cellar')]);
      await context.close();
      await use({ garden, cellar });
      await Promise.all([garden.stop(), cellar.stop()]);
    },
    { scope: 'worker', timeout: START_MS },
  ],
  enter: async ({ browser, secure, sessionOf }, use) => {
    const open: BrowserContext[] = [];
    await use(async (who) => {
      const storageState = who === null ? undefined : await sessionOf(who);
      const context = await browser.newContext({ ...optionsOf(secure), ...(storageState && { storageState }) });
      open.push(context);
      return context.newPage();
    });
    for (const context of open) await context.close();
  },
});

/** Caddy's own authority is one that no browser knows. */
const optionsOf = ({ url }: SecureHub): BrowserContextOptions => ({ baseURL: url, ignoreHTTPSErrors: true });

export { expect } from '@playwright/test';
