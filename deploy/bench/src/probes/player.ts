import { chromium, type Page } from 'playwright-core';

const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
const PATIENCE_MS = 60_000;

/** The player of a recording, in Chromium. */
export class PlayerPage {
  private readonly page: Page;
  private readonly url: string;

  private constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  /** @param cookie the `Cookie` header of a session */
  static async start(hub: string, cookie: string): Promise<PlayerPage> {
    const browser = await chromium.launch({ executablePath: PROGRAM, args: ARGUMENTS });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.addCookies(
      cookie.split('; ').map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return { name, value: value.join('='), url: hub };
      }),
    );
    return new PlayerPage(await context.newPage(), hub);
  }

  /**
   * Opens a recording at a time, as a link to a moment does.
   * @returns milliseconds from the navigation to the first frame with what was on the screen
   */
  async open(recording: string, seconds: number): Promise<number> {
    // Away from the page first, so that the application starts again.
    await this.page.goto('about:blank');
    await this.page.goto(`${this.url}/sessions/${recording}?t=${seconds}`, { waitUntil: 'commit' });
    return this.page.evaluate(shown, { seconds, patienceMs: PATIENCE_MS });
  }

  /** Clicks the timeline at a share of it. @returns milliseconds from the press to the frame with what was on the screen then */
  async seek(share: number): Promise<number> {
    const bar = this.page.getByRole('slider', { name: 'Position' });
    const box = await bar.boundingBox();
    if (!box) throw new Error('The player has no timeline.');
    const seconds = Math.round(share * Number(await bar.getAttribute('aria-valuemax')));
    await this.page.evaluate(listen);
    await this.page.mouse.click(box.x + share * box.width, box.y + box.height / 2);
    return this.page.evaluate(pressed, { seconds, patienceMs: PATIENCE_MS });
  }

  async close(): Promise<void> {
    await this.page.context().browser()?.close();
  }
}

interface Wanted {
  seconds: number;
  patienceMs: number;
}

/** In the page: resolves with the time since navigation once the player shows a time. */
async function shown({ seconds, patienceMs }: Wanted): Promise<number> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (;;) {
    await frame();
    const bar = document.querySelector('[role=slider]');
    const isLoading = document.querySelector('[role=status][aria-label^=Loading]') !== null;
    const isThere = bar && Number(bar.getAttribute('aria-valuemax')) > 0;
    if (isThere && !isLoading && Math.abs(Number(bar.getAttribute('aria-valuenow')) - seconds) <= 1) break;
    if (performance.now() > patienceMs) throw new Error(`The recording was not shown in ${patienceMs} ms.`);
  }
  await frame();
  return performance.now();
}

declare global {
  /** When the mouse was pressed, once it is released: a drag seeks while it moves. */
  var press: Promise<[number, number]>;
}

/** In the page: notes the next press of the mouse. */
function listen(): void {
  const on = (event: string) =>
    new Promise<number>((resolve) => {
      addEventListener(event, () => resolve(performance.now()), { capture: true, once: true });
    });
  globalThis.press = Promise.all([on('pointerdown'), on('pointerup')]);
}

/** In the page: resolves with the time since the press of the mouse once the player shows a time. */
async function pressed({ seconds, patienceMs }: Wanted): Promise<number> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const [from] = await globalThis.press;
  for (;;) {
    await frame();
    const at = Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow'));
    const isLoading = document.querySelector('[role=status][aria-label^=Loading]') !== null;
    if (!isLoading && Math.abs(at - seconds) <= 1) break;
    if (performance.now() - from > patienceMs) throw new Error(`${seconds} s were not shown in ${patienceMs} ms.`);
  }
  await frame();
  return performance.now() - from;
}
