import type { Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';

/** Which rules to ask for: all, when nothing is said; one or the other. */
interface Rules {
  only?: string[];
  without?: string[];
}

/** A terminal draws separate rows of text; assistive technology uses its screen reader mode instead. */
const DRAWN = '.xterm-rows';

/**
 * Finds what axe objects to on the page as it stands. Gives axe to a document once: it is half a megabyte of script.
 * @param within a selector of what to look at instead of the whole page
 * @returns a line for each rule and place
 */
export async function violations(page: Page, { only, without }: Rules = {}, within?: string): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    // No page has frames that axe would have to be in.
    iframes: false,
    ...(only && { runOnly: { type: 'rule', values: only } }),
    ...(without && { rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) }),
  };
  const there = await page.evaluate(() => 'axe' in globalThis);
  if (!there) await page.evaluate(`${axe.source}; undefined`);
  const where = { ...(within && { include: [within] }), exclude: [DRAWN] };
  const { violations: found } = await page.evaluate(
    ([context, asked]): Promise<AxeResults> => (globalThis as unknown as { axe: typeof axe }).axe.run(context, asked),
    [where, options] as const,
  );
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target.join(' ')}`));
}
