import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';
import sharp from 'sharp';
import { TerminalPage } from '../../pages/terminal.ts';
import { device, devices } from '../../support/api.ts';
import { makeFleet } from '../../support/fleet.ts';
import { Estate } from '../../support/office.ts';
import { person } from '../../support/people.ts';
import { setBackdrop, type Backdrop } from '../../support/screens/backdrop.ts';
import { dialogs } from '../../support/screens/dialogs.ts';
import { pages } from '../../support/screens/pages.ts';
import { furnish, type Scene } from '../../support/screens/scene.ts';
import { leave, settle, viewer, visit, type Screen } from '../../support/screens/screen.ts';
import { expect, test } from '../../support/test.ts';

const folder = join(import.meta.dirname, '../../../../docs/pictures');
const named = ['greenhouse-01', 'greenhouse-02', 'weather-mast', 'bench-01', 'crane-gateway'];
const shown = 'greenhouse-02';
const minutes = 60_000;

/** '1' for all pictures, or the names of some. */
const asked = process.env['WARREN_PICTURES'] ?? '1';
const isAsked = ({ name, unpictured }: Screen) => (asked === '1' ? !unpictured : asked.split(' ').includes(name));

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** Pages in every look; dialogs, which are alike, in two of them. */
const looks: { name: string; options: BrowserContextOptions; screens: readonly Screen[] }[] = [
  { name: 'light', options: { colorScheme: 'light' }, screens: [...pages, ...dialogs] },
  { name: 'dark', options: { colorScheme: 'dark' }, screens: pages },
  { name: 'phone-light', options: { ...phone, colorScheme: 'light' }, screens: pages },
  { name: 'phone-dark', options: { ...phone, colorScheme: 'dark' }, screens: [...pages, ...dialogs] },
];

async function take(page: Page, file: string): Promise<void> {
  await page.mouse.move(0, 0);
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await writeFile(join(folder, `${file}.webp`), await sharp(picture).webp({ quality: 65, effort: 6 }).toBuffer());
}

/** Gives the shell something to show. */
async function work(page: Page): Promise<void> {
  const terminal = new TerminalPage(page);
  await terminal.run(String.raw`PS1='\[\e[1;32m\]\h\[\e[0m\]:\[\e[1;34m\]\w\[\e[0m\]\$ '; clear`);
  const prompt = `${shown}:~#`;
  await terminal.expectPrompt(prompt);
  const colours = 'for c in 1 2 3 4 5 6; do printf "\\e[3${c}mwarren \\e[9${c}mwarren "; done; echo';
  for (const command of ['(. /etc/os-release; echo $PRETTY_NAME)', 'free -h', 'df -h /', colours]) {
    await terminal.page.keyboard.type(command);
    await terminal.page.keyboard.press('Enter');
    await terminal.expectPrompt(prompt);
  }
}

async function draw(page: Page, screen: Screen, scene: Scene, file: string): Promise<void> {
  await visit(page, screen, scene);
  await settle(page);
  if (screen.name === 'device') await work(page);
  // The frame is there before the page in it.
  if (screen.name === 'device-web') await expect(page.frameLocator('main iframe').getByRole('heading')).toBeVisible();
  await take(page, file);
  await leave(page, screen);
}

test('the pictures of the documentation', async ({ enter, office, warren }) => {
  test.setTimeout(30 * minutes);
  await mkdir(folder, { recursive: true });
  const { request } = await enter('superAdmin');
  const account = warren.account('Meadow Farms');
  const end = await makeFleet(request, warren.facts.hub, (name) => warren.account(name));
  const all = async () => (await devices(request, 'limit=200')).devices;
  const connected = async () =>
    (await all()).filter(({ status, name }) => status === 'Connected' && named.includes(name)).length;
  let backdrop: Backdrop | undefined;
  try {
    await expect.poll(connected, { timeout: minutes }).toBe(named.length);
    const fleet = await all();
    const called = (wanted: string) => {
      const found = fleet.find(({ name }) => name === wanted);
      if (!found) throw new Error(`there is no ${wanted}`);
      return found;
    };
    const own = called(shown);
    backdrop = await setBackdrop(office, warren, {
      web: called('weather-mast'),
      desktop: own,
      account: warren.account('Harbour Lab'),
      used: account,
    });
    const estate = new Estate(office, account, 'Meadow Farms');
    const scene = await furnish(office, {
      estate,
      owner: 'Mara Quinn',
      approver: person('owner').email,
      machine: own.id,
      web: backdrop.web,
      served: backdrop.served,
      database: warren.facts.database,
      device: await device(request, own.id),
      away: called('barn-camera-03').id,
    });
    for (const { name: look, options, screens } of looks) {
      for (const [who, theirs] of Map.groupBy(screens.filter(isAsked), (screen) => viewer(screen, scene))) {
        const page = await enter(who, { reducedMotion: 'reduce', ...options });
        for (const screen of theirs) {
          await test.step(`${screen.name}, ${look}`, () => draw(page, screen, scene, `${screen.name}-${look}`));
        }
        await page.context().close();
      }
    }
  } finally {
    await backdrop?.end();
    await end();
    // Other tests expect this machine alone.
    for (const { id } of await all())
      if (id !== warren.facts.device.id) await office.call('DELETE', `/tunnel/devices/${id}`);
  }
});
