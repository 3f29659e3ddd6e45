import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { headless, whole } from './support/browser.ts';
import { long } from './support/soak.ts';

/** Runs side by side leave their results apart, by the name of each. */
const results = join(import.meta.dirname, '../../test-results', process.env['WARREN_LANE'] ?? 'e2e');

/**
 * The whole product in Chromium. One worker: the tests share one hub, and some of them end its processes.
 * `CHROMIUM` names another browser program for all; `WARREN_E2E` an already running copy (see stack/main.ts).
 */
export default defineConfig({
  // In this order: pictures, when asked for, of a fresh copy; what ends processes after what needs them in peace.
  projects: [
    ...(process.env['WARREN_PICTURES'] ? ['pictures'] : []),
    'console',
    'accessibility',
    'matrix',
    'healing',
    'replicas',
    'secure',
    'machines',
    // Takes minutes and fills a database: `make soak`.
    ...(long ? ['walk'] : []),
    // Makes images first, which takes minutes: `make containers`.
    ...(process.env['WARREN_CONTAINERS'] === '1' ? ['containers'] : []),
    // Takes the bundle of a release: `make airgap`.
    ...(process.env['WARREN_AIRGAP'] ? ['airgap'] : []),
    // Downloads and builds everything on a separate machine: `make fresh`.
    ...(process.env['WARREN_FRESH'] === '1' ? ['fresh'] : []),
    // Builds a former release first: `make upgrade`.
    ...(process.env['WARREN_UPGRADE_FROM'] ? ['upgrade'] : []),
    // Downloads and starts a Keycloak first: `make keycloak`.
    ...(process.env['WARREN_KEYCLOAK'] === '1' ? ['keycloak'] : []),
    // The same with LemonLDAP::NG, in a chroot: `make lemonldap`.
    ...(process.env['WARREN_LEMONLDAP'] === '1' ? ['lemonldap'] : []),
  ].map((name) => ({
    name,
    testDir: `tests/${name}`,
    ...(name === 'secure' && { use: { launchOptions: whole } }),
    // Where a whole installation starts on one machine, pages are slow at first.
    ...(['airgap', 'containers', 'fresh'].includes(name) && {
      expect: { timeout: 60_000 },
      use: { actionTimeout: 60_000, navigationTimeout: 60_000 },
    }),
  })),
  ...(!long && { grepInvert: /@soak/ }),
  globalSetup: './stack/setup.ts',
  outputDir: results,
  reporter: [['list'], ['json', { outputFile: `${results}.report.json` }]],
  workers: 1,
  retries: 0,
  // Against hanging only: a loaded machine is slow, not wrong. What is promised within a time is measured by its test.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // Dialogs and menus without their transitions, which are drawn 60 times a second and waited for; tests of focus have them.
    contextOptions: { reducedMotion: 'reduce' },
    // Without pictures of each step, which take a quarter of the whole run's work; a failure has its own.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: headless,
  },
});
