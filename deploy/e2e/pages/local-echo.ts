import type { JSHandle, Locator, Page } from '@playwright/test';

/** One typed character. Times are milliseconds from its key. */
interface Typed {
  char: string;
  /** Until it was in the page, predicted or real; the next frame shows it. */
  visible: number | null;
  /** Until the callback of that frame. */
  frame: number | null;
  /** Until the device's echo was drawn. */
  real: number | null;
  /** Until a prediction of it disappeared. */
  removed: number | null;
}

/** What was seen while keys were pressed. */
interface Watch {
  typed: Typed[];
  /** Everything that was ever predicted. */
  predicted: string;
  /** The longest time between two frames: how late the page does what is due. */
  lag: number;
  /** Milliseconds from the last key to the last acknowledgement of input; null without `hearAcknowledgements`. */
  accepted: number | null;
  stop: () => void;
}

/** The predicted characters over a terminal's screen. */
export class LocalEchoPage {
  readonly cells: Locator;
  readonly sign: Locator;
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    this.cells = page.locator('[data-local-echo] > span');
    this.sign = page.getByRole('img', { name: /^Local echo/ });
  }

  /** Notes in each page that is loaded from now on when the hub acknowledges input. */
  async hearAcknowledgements(): Promise<void> {
    await this.page.addInitScript(() => {
      window.WebSocket = class extends WebSocket {
        constructor(url: string | URL, protocols?: string | string[]) {
          super(url, protocols);
          this.addEventListener('message', ({ data }) => {
            if (typeof data === 'string' && data.includes('["accepted",')) performance.mark('accepted');
          });
        }
      };
    });
  }

  /** Chooses when it is active. */
  async choose(mode: 'Automatic' | 'Always' | 'Never'): Promise<void> {
    await this.page.getByRole('button', { name: 'Terminal settings' }).click();
    await this.page.getByRole('radiogroup', { name: 'Local echo' }).getByText(mode).click();
    await this.page.keyboard.press('Escape');
  }

  /**
   * Types text key by key after a prompt that ends with a space, and measures in the page itself.
   * @param end what to wait for while it measures; by default the device's echo of each key
   */
  async type(
    text: string,
    pause: number,
    end?: (watch: JSHandle<Watch>) => Promise<void>,
  ): Promise<Omit<Watch, 'stop'>> {
    const watch = await this.watch();
    await this.page.keyboard.type(text, { delay: pause });
    if (end) await end(watch);
    else await this.page.waitForFunction(({ typed }) => typed.every((key) => key.real !== null), watch);
    // The second frame decides whether a character was removed.
    await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    return watch.evaluate((seen) => {
      seen.stop();
      const { typed, predicted, lag, accepted } = seen;
      return { typed, predicted, lag, accepted };
    });
  }

  /** Waits until a character was predicted, and no prediction is drawn any more. */
  async expectDisproved(watch: JSHandle<Watch>, char: string): Promise<void> {
    await this.page.waitForFunction(
      ({ watched, wrong }) =>
        watched.predicted.includes(wrong) && document.querySelector('[data-local-echo] > span') === null,
      { watched: watch, wrong: char },
    );
  }

  private watch(): Promise<JSHandle<Watch>> {
    return this.page.evaluateHandle(() => {
      const layer = document.querySelector('[data-local-echo]');
      const keys: { at: number; typed: Typed; wanted: string; missing: number | null }[] = [];
      const watch = {
        typed: [] as Typed[],
        predicted: '',
        lag: 0,
        accepted: null as number | null,
        stop: () => {},
      };
      const real = () =>
        [...document.querySelectorAll('.xterm-rows > div')]
          .map((row) => (row.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd())
          .findLast(Boolean) ?? '';
      const cells = () => [...(layer?.querySelectorAll<HTMLElement>('span') ?? [])];
      const isPredicted = (cell: HTMLElement) => getComputedStyle(cell).textDecorationLine === 'underline';
      /** The line with the cells that are drawn over it. */
      const covered = (drawn: string, over: HTMLElement[]) => {
        const columns = [...drawn];
        for (const { style, textContent } of over) {
          const column = Math.round(parseFloat(style.left) / parseFloat(style.width));
          while (columns.length < column) columns.push(' ');
          columns[column] = textContent;
        }
        return columns.join('');
      };
      let text = `${real()} `;
      const look = (isFrame: boolean) => {
        const now = performance.now();
        const drawn = real();
        const over = cells();
        const shown = covered(drawn, over);
        watch.predicted += over
          .filter(isPredicted)
          .map((cell) => cell.textContent)
          .join('');
        for (const key of keys) {
          const { at, typed, wanted } = key;
          if (typed.real === null && drawn.startsWith(wanted)) typed.real = now - at;
          const isShown = shown.startsWith(wanted);
          if (isShown) typed.visible ??= now - at;
          if (!isFrame) continue;
          if (isShown) typed.frame ??= now - at;
          if (typed.real !== null) continue;
          // The terminal draws what has replaced a prediction later in the same frame, so the next one decides.
          if (key.missing !== null && !isShown) typed.removed ??= key.missing;
          key.missing = typed.frame !== null && !isShown ? now - at : null;
        }
      };
      let framedAt = performance.now();
      let frame = requestAnimationFrame(function next() {
        watch.lag = Math.max(watch.lag, performance.now() - framedAt);
        framedAt = performance.now();
        look(true);
        frame = requestAnimationFrame(next);
      });
      const observer = new MutationObserver(() => look(false));
      const screen = document.querySelector('.xterm-screen');
      if (screen) observer.observe(screen, { childList: true, subtree: true, characterData: true });
      const onKey = (event: KeyboardEvent) => {
        if (event.key.length !== 1) return;
        text += event.key;
        // A blank shows nothing.
        if (event.key === ' ') return;
        const typed = { char: event.key, visible: null, frame: null, real: null, removed: null };
        watch.typed.push(typed);
        keys.push({ at: event.timeStamp, typed, wanted: text, missing: null });
      };
      document.addEventListener('keydown', onKey, { capture: true });
      watch.stop = () => {
        const acceptedAt = performance.getEntriesByName('accepted').at(-1)?.startTime;
        watch.accepted = acceptedAt === undefined ? null : acceptedAt - (keys.at(-1)?.at ?? 0);
        cancelAnimationFrame(frame);
        observer.disconnect();
        document.removeEventListener('keydown', onKey, { capture: true });
      };
      return watch;
    });
  }
}
