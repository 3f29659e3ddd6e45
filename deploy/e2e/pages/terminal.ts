import { expect, type Locator, type Page } from '@playwright/test';

const prompt = 'ready>';

/** The device page with its shell. Reads the drawn text from the rows of the terminal's DOM renderer. */
export class TerminalPage {
  readonly page: Page;
  readonly status: Locator;
  readonly reconnect: Locator;
  private readonly row: Locator;

  constructor(page: Page) {
    this.page = page;
    this.status = page.locator('[role=status][data-state]');
    this.reconnect = page.getByRole('button', { name: 'Reconnect' });
    this.row = page.locator('.xterm-rows > div');
  }

  /** Opens the device page, and waits for the shell. */
  async open(device: string): Promise<void> {
    await this.page.goto(`/device/ssh/${device}`);
    await this.expectState('connected');
  }

  /** Opens it and gives the shell a distinguishable prompt. */
  async openReady(device: string): Promise<void> {
    await this.open(device);
    await this.run(`PS1='${prompt} '; clear`);
    await this.expectPrompt();
  }

  async expectState(state: string): Promise<void> {
    await expect(this.status).toHaveAttribute('data-state', state);
  }

  /** Notes each state in the page itself. @returns what waits until a state has been there since, for however short a time */
  async watchStates(): Promise<(state: string) => Promise<void>> {
    const seen = await this.status.evaluateHandle((status) => {
      const states: string[] = [];
      const note = () => states.push((status as HTMLElement).dataset['state'] ?? '');
      new MutationObserver(note).observe(status, { attributeFilter: ['data-state'] });
      return states;
    });
    return async (state) => {
      await this.page.waitForFunction(([states, wanted]) => states.includes(wanted), [seen, state] as const);
    };
  }

  /** Waits until the terminal is idle. */
  async expectEnd(state: string): Promise<void> {
    await this.expectState(state);
    await expect(this.status).toHaveAttribute('data-tone', 'bad');
  }

  async focus(): Promise<void> {
    await this.page
      .getByRole('group', { name: /^Terminal of/ })
      .getByRole('textbox')
      .focus();
  }

  /** Types ASCII, key by key. */
  async type(text: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.type(text);
  }

  async press(key: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.press(key);
  }

  /** Types a command and Enter. */
  async run(command: string): Promise<void> {
    await this.type(command);
    await this.page.keyboard.press('Enter');
  }

  /** The drawn lines from the top, without the blanks at their ends. */
  async lines(): Promise<string[]> {
    const texts = await this.row.allTextContents();
    return texts.map((text) => text.replaceAll('\u00a0', ' ').trimEnd());
  }

  /** How many rows the terminal has. */
  rows(): Promise<number> {
    return this.row.count();
  }

  /** Waits until a line is drawn exactly so. */
  async expectLine(line: string | RegExp): Promise<void> {
    const matcher = typeof line === 'string' ? line : expect.stringMatching(line);
    await expect.poll(() => this.lines(), { intervals: [50, 100] }).toContainEqual(matcher);
  }

  /** Waits for the prompt alone on the last line that is not blank. */
  async expectPrompt(text = prompt): Promise<void> {
    const last = async () => (await this.lines()).findLast((line) => line !== '');
    await expect.poll(last, { intervals: [50, 100] }).toBe(text);
  }

  /** Clears the screen, and waits for the result. */
  async clear(): Promise<void> {
    await this.run('clear');
    await expect.poll(async () => (await this.lines()).filter(Boolean), { intervals: [50] }).toEqual([prompt]);
  }

  /**
   * Presses Ctrl-C and measures in the page itself, by the frame that shows it, how long it takes until the prompt is drawn.
   * @returns milliseconds from the key to the prompt
   */
  async interrupt(): Promise<number> {
    await this.focus();
    const watch = await this.page.evaluateHandle((wanted) => {
      const drawn = () => [...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent?.trim());
      return {
        took: new Promise<number>((resolve) => {
          const onKey = (event: KeyboardEvent) => {
            if (event.key !== 'c') return;
            document.removeEventListener('keydown', onKey, { capture: true });
            const look = () => {
              if (drawn().findLast(Boolean) === wanted) resolve(performance.now() - event.timeStamp);
              else requestAnimationFrame(look);
            };
            look();
          };
          document.addEventListener('keydown', onKey, { capture: true });
        }),
      };
    }, prompt);
    await this.page.keyboard.press('Control+c');
    return watch.evaluate(({ took }) => took);
  }
}
