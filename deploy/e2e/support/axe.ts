import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Which rules to ask for: all, when nothing is said; one or the other. */
interface Rules {
  only?: string[];
  without?: string[];
}

/**
 * What axe finds on the page as it stands, a line for each rule and place.
 */
export async function violations(page: Page, { only, without }: Rules = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // What a terminal draws are rows of text of its own; its screen reader mode is what those who listen turn on.
    .exclude('.xterm-rows')
    // In one piece: no page has frames that a second pass would have to put together.
    .setLegacyMode();
  if (only) axe.withRules(only);
  if (without) axe.disableRules(without);
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target.join(' ')}`));
}
