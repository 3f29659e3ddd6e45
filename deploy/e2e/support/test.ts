import { test as base, type BrowserContextOptions, type Page } from '@playwright/test';
import { signIn } from '../pages/sign-in.ts';
import { person, type Who } from './people.ts';
import { endShells } from './shells.ts';
import { Warren } from './warren.ts';

interface Fixtures {
  /** A page of a browser of its own, signed in through the SAML forms; it stands on Home. */
  as: (who: Who, options?: BrowserContextOptions) => Promise<Page>;
}

interface WorkerFixtures {
  warren: Warren;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  // Playwright reads what a fixture needs from its first parameter's pattern.
  // eslint-disable-next-line no-empty-pattern
  warren: [async ({}, use) => use(await Warren.find()), { scope: 'worker' }],
  baseURL: async ({ warren }, use) => use(warren.facts.hub),
  as: async ({ browser, baseURL, warren }, use) => {
    const contexts: { close(): Promise<void> }[] = [];
    await use(async (who, options) => {
      const context = await browser.newContext({ ...(baseURL && { baseURL }), ...options });
      contexts.push(context);
      const page = await context.newPage();
      await signIn(page, person(who).email);
      return page;
    });
    for (const context of contexts) await context.close();
    await warren.restore();
    await endShells(warren);
  },
});

export { expect } from '@playwright/test';

/** Writes a figure into the report, as an annotation of the test. */
export function measured(what: string, value: number, unit: string): void {
  test.info().annotations.push({ type: 'measured', description: `${what}: ${Math.round(value)} ${unit}` });
}
