import type { Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { requireProgram } from '@warren/infra/programs';

const bundle = fileURLToPath(new URL('.', import.meta.resolve('asciinema-player/dist/bundle/asciinema-player.css')));

/** The little of asciinema's player that is used here. */
interface Player {
  seek: (to: string) => Promise<void>;
}
interface Asciinema {
  AsciinemaPlayer: { create: (source: { data: string }, place: HTMLElement, options: object) => Player };
}

/** Plays a recording with asciinema's command line client, fast. @returns what it wrote */
export async function playByClient(file: string): Promise<string> {
  const args = ['play', '--idle-time-limit', '0.01', '--speed', '100', file];
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  return (await promisify(execFile)(requireProgram('asciinema'), args, { env, maxBuffer: 16 << 20 })).stdout;
}

/** Plays a recording with asciinema's player in an empty page, and goes to its end: the page then shows the last screen */
export async function playInPage(page: Page, file: string): Promise<void> {
  await page.setContent('<!doctype html><title>Player</title><div id="place"></div>');
  await page.addStyleTag({ path: join(bundle, 'asciinema-player.css') });
  await page.addScriptTag({ path: join(bundle, 'asciinema-player.min.js') });
  await page.evaluate(
    async (data) => {
      const place = document.querySelector<HTMLElement>('#place');
      if (!place) throw new Error('The page has no place for the player.');
      const { AsciinemaPlayer } = globalThis as unknown as Asciinema;
      const player = AsciinemaPlayer.create({ data }, place, {
        preload: true,
        fit: false,
        terminalFontFamily: 'monospace',
      });
      await player.seek('100%');
    },
    await readFile(file, 'utf8'),
  );
}
