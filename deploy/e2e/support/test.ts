import {
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Cookie,
  type Page,
} from '@playwright/test';
import { signIn } from '../pages/sign-in.ts';
import { Office, type Estate } from './office.ts';
import { person, type Who } from './people.ts';
import { endShells } from './shells.ts';
import { Warren } from './warren.ts';

interface Fixtures {
  /** A page of a separate browser that shows Home, with this person's session of an earlier test if it has not ended. */
  as: (who: Who, options?: BrowserContextOptions) => Promise<Page>;
  /** The same with a session that begins now, through the SAML forms. */
  signedIn: (who: Who, options?: BrowserContextOptions) => Promise<Page>;
  /**
   * A page of a separate browser, with the session that this person (or e-mail) has had since an earlier test; without a session for
   * null. It has no URL yet.
   */
  enter: (who: Who | (string & {}) | null, options?: BrowserContextOptions) => Promise<Page>;
  contexts: Contexts;
  /** An account of this test's own. */
  estate: Estate;
}

interface WorkerFixtures {
  warren: Warren;
  office: Office;
}

/** The browsers of one test. */
class Contexts {
  private readonly open: BrowserContext[] = [];
  private readonly browser: Browser;
  private readonly baseURL: string | undefined;

  constructor(browser: Browser, baseURL: string | undefined) {
    this.browser = browser;
    this.baseURL = baseURL;
  }

  async page(options?: BrowserContextOptions): Promise<Page> {
    const context = await this.browser.newContext({ ...(this.baseURL && { baseURL: this.baseURL }), ...options });
    this.open.push(context);
    return context.newPage();
  }

  async close(): Promise<void> {
    for (const context of this.open) await context.close();
  }
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  // Playwright reads what a fixture needs from its first parameter's pattern.
  // oxlint-disable-next-line no-empty-pattern
  warren: [async ({}, use) => use(await Warren.find()), { scope: 'worker' }],
  office: [
    async ({ warren }, use) => {
      const office = new Office(warren);
      await use(office);
      await office.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ warren }, use) => use(warren.facts.hub),
  contexts: async ({ browser, baseURL, warren }, use) => {
    const contexts = new Contexts(browser, baseURL);
    await use(contexts);
    await contexts.close();
    await warren.restore();
    await endShells(warren);
  },
  estate: async ({ office }, use) => {
    const estate = await office.estate();
    await use(estate);
    await office.remove(estate);
  },
  as: async ({ contexts, office, warren }, use) =>
    use(async (who, options) => {
      const page = await contexts.page(options);
      await visit(page, person(who).email, office.sessions, warren.facts.hub);
      return page;
    }),
  signedIn: async ({ contexts }, use) =>
    use(async (who, options) => {
      const page = await contexts.page(options);
      await signIn(page, person(who).email);
      return page;
    }),
  enter: async ({ contexts, office, warren }, use) =>
    use(async (who, options) => {
      const page = await contexts.page(options);
      if (who === null) return page;
      const header = await office.cookie(who.includes('@') ? who : person(who as Who).email);
      const [name = '', value = ''] = header.split('=');
      await page.context().addCookies([{ name, value, url: warren.facts.hub }]);
      return page;
    }),
});

export { expect } from '@playwright/test';

/** Opens Home with a kept session, and keeps a new one if that has ended. */
async function visit(page: Page, email: string, sessions: Map<string, Cookie[]>, hub: string): Promise<void> {
  await page.context().addCookies(sessions.get(email) ?? []);
  await signIn(page, email);
  sessions.set(email, await page.context().cookies(hub));
}

/** Writes a figure into the report, as an annotation of the test. */
export function measured(what: string, value: number, unit: string): void {
  test.info().annotations.push({ type: 'measured', description: `${what}: ${Math.round(value)} ${unit}` });
}
