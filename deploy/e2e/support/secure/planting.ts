import type { FrameLocator, Locator, Page } from '@playwright/test';
import { expect } from './test.ts';
import type { SecureDevice } from './device.ts';

type Shown = Page | FrameLocator;

/** The web service in the console's frame, once it is there. */
export async function frameOf(page: Page, device: SecureDevice): Promise<FrameLocator> {
  await page.goto(`/device/web/${device.address}`);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: device.name })).toBeVisible();
  return frame;
}

/** Shows the web service of a device in place of the current page, as a tab does. */
export async function tabOf(page: Page, device: SecureDevice): Promise<Page> {
  await page.goto(device.url);
  await expect(page.getByRole('heading', { name: device.name })).toBeVisible();
  return page;
}

/** What a device's server got, as its page shows it. */
export const sent = (shown: Shown): Locator => shown.locator('output');

/** What a script of a web service reads. */
export const readable = (shown: Shown): Promise<string> =>
  shown.locator('body').evaluate((body) => body.ownerDocument.cookie);

/**
 * Sets cookies as a script of a web service does. Chromium sets them in its own time; reading waits until they are set.
 * @param cookies as `document.cookie` takes them
 */
export const plant = (shown: Shown, cookies: readonly string[]): Promise<string> =>
  shown.locator('body').evaluate((body, texts) => {
    for (const text of texts) body.ownerDocument.cookie = text;
    return body.ownerDocument.cookie;
  }, cookies);

const MANY = 40;
const LARGE = 4_000;

/** More cookies than a server of Warren accepts. @param attributes of each */
export function tooMany(attributes: string): string[] {
  return Array.from({ length: MANY }, (_, index) => `b${index}=${'x'.repeat(LARGE)}; Path=/; ${attributes}`);
}
