import { chromium, type BrowserContext, type LaunchOptions } from '@playwright/test';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What Chrome ships with; Debian's Chromium refuses frames of other sites any storage. */
const PREFERENCES = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };

/**
 * Uses a browser in which a frame of another site may keep what it likes, as it may where the hub and the devices share a
 * registrable domain.
 * @param cookie `name=value` of a session at the hub
 */
export async function withStoringFrames(
  options: LaunchOptions,
  { hub, cookie }: { hub: string; cookie: string },
  use: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-profile-'));
  try {
    await mkdir(join(folder, 'Default'));
    await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
    const viewport = { width: 1280, height: 800 };
    const context = await chromium.launchPersistentContext(folder, { ...options, baseURL: hub, viewport });
    try {
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url: hub }]);
      await use(context);
    } finally {
      await context.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
