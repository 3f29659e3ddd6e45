import type { LaunchOptions } from '@playwright/test';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  // Without WebGL terminals are drawn as text, which tests can read.
  '--disable-3d-apis',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const launch = (program: string): LaunchOptions => ({ executablePath: process.env['CHROMIUM'] ?? program, args });

/** Chromium's pages without the browser around them, which take a quarter less work: enough for nearly all. */
export const headless = launch('/usr/bin/chromium-headless-shell');

/** All of Chromium as people have it: what it keeps for frames of other sites, how soon a page is there. */
export const whole = launch('/usr/bin/chromium');
