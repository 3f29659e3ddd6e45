import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { Size } from '@warren/rules/recordings/frames';
import { terminalThemes } from '../../../../ui/terminal-themes.ts';
import type { ReplayScreen } from './terminal-stage.ts';

const FONT = "'JetBrains Mono Variable', ui-monospace, monospace";
const SCROLLBACK_LINES = 10_000;
/** Font sizes in pixels: smaller ones can't be read, so that a wide screen scrolls. */
const SMALLEST = 8;
const LARGEST = 14;
const LARGEST_IN_FULL = 24;
const LINE_HEIGHT = 1.2;

const FOUND = {
  matchBackground: '#e6b455',
  matchOverviewRuler: '#b98a2c',
  activeMatchBackground: '#f08a3c',
  activeMatchColorOverviewRuler: '#f08a3c',
};

/** The screen of a recording: as wide and high as it was recorded, in letters that fit. It takes no input. */
export class XtermScreen implements ReplayScreen {
  private readonly terminal: Terminal;
  private readonly search = new SearchAddon();
  private readonly observer: ResizeObserver;
  private frame = 0;

  constructor(
    private readonly host: HTMLElement,
    scheme: 'light' | 'dark',
    label: string,
  ) {
    this.terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: false,
      disableStdin: true,
      fontFamily: FONT,
      fontSize: LARGEST,
      lineHeight: LINE_HEIGHT,
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK_LINES,
      theme: terminalThemes[scheme],
    });
    this.terminal.loadAddon(this.search);
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = '11';
    this.terminal.open(host);
    this.terminal.textarea?.setAttribute('aria-label', label);
    this.terminal.textarea?.setAttribute('readonly', '');
    // Keys are the player's, and those of the browser, such as to copy a selection.
    this.terminal.attachCustomKeyEventHandler(() => false);
    this.useGpu();
    this.observer = new ResizeObserver(() => this.fitSoon());
    this.observer.observe(host);
  }

  write(data: Uint8Array | string, done: () => void): void {
    this.terminal.write(data, done);
  }

  resize({ cols, rows }: Size): void {
    this.terminal.resize(Math.max(2, cols), Math.max(1, rows));
    this.fitSoon();
  }

  useScheme(scheme: 'light' | 'dark'): void {
    this.terminal.options.theme = terminalThemes[scheme];
  }

  /** Marks a text on the screen; empty: marks nothing. */
  find(text: string): void {
    if (text === '') this.search.clearDecorations();
    else this.search.findPrevious(text, { decorations: FOUND });
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
    this.terminal.dispose();
  }

  /** Draws by WebGL if available; xterm's DOM renderer stays without it, or after a lost context. */
  private useGpu(): void {
    try {
      const gpu = new WebglAddon();
      gpu.onContextLoss(() => gpu.dispose());
      this.terminal.loadAddon(gpu);
    } catch {
      // No WebGL: the DOM renderer draws the same.
    }
  }

  private fitSoon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.fit());
  }

  /** Chooses the largest letters with which the whole screen is seen. */
  private fit(): void {
    const { terminal, host } = this;
    const drawn = host.querySelector<HTMLElement>('.xterm-screen');
    const size = terminal.options.fontSize ?? LARGEST;
    if (!drawn || drawn.offsetWidth === 0 || host.clientWidth === 0) return;
    const across = (host.clientWidth / drawn.offsetWidth) * size;
    const down = (host.clientHeight / drawn.offsetHeight) * size;
    const most = document.fullscreenElement ? LARGEST_IN_FULL : LARGEST;
    const wanted = Math.max(SMALLEST, Math.min(most, Math.floor(Math.min(across, down) * 2) / 2));
    if (wanted !== size) terminal.options.fontSize = wanted;
  }
}
