import { ClipboardAddon } from '@xterm/addon-clipboard';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { encodeBinaryString } from '../../../sockets/terminal/codec.ts';
import type { Size } from '../../../sockets/terminal/types.ts';
import { LocalEcho } from './echo/local-echo.ts';
import type { EchoMode } from './echo/predictor.ts';
import { terminalThemes } from '../../../ui/terminal-themes.ts';

const FONT = "'JetBrains Mono Variable', ui-monospace, monospace";
const SCROLLBACK_LINES = 10_000;
/**
 * Resets modes that an ended program left: alternate screen, mouse reports, colours, bracketed paste (xterm control sequences). The cursor is
 * saved first, as leaving the alternate screen moves it to where it was saved, without such a screen too.
 */
const RESTORE = '\x1b7\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[!p\x1b[0m\r\n';

export interface ScreenOptions {
  scheme: 'light' | 'dark';
  fontSize: number;
  screenReader: boolean;
  localEcho: EchoMode;
}

export interface ScreenHandlers {
  /** Typed or pasted text. */
  onText: (text: string) => void;
  /** Bytes that are not text, such as old mouse reports. */
  onBytes: (bytes: Uint8Array) => void;
  onSize: (size: Size) => void;
  onSearch: () => void;
  /** The person wants to leave: Tab belongs to the shell. */
  onLeave: () => void;
  /** Local echo begins or ends. */
  onEcho: (active: boolean) => void;
  /** Whether a key is a shortcut of the page around it. */
  isReserved: (event: KeyboardEvent) => boolean;
}

/** The drawn terminal: xterm with its addons. It is independent of connections. */
export class Screen {
  readonly search = new SearchAddon();
  readonly echo: LocalEcho;
  private readonly terminal: Terminal;
  private readonly fit = new FitAddon();
  private readonly observer: ResizeObserver;
  private frame = 0;
  /** What fits into this window. */
  private own: Size;
  /** The size of a terminal that other windows show too, where that is another one. */
  private shared: Size | null = null;

  constructor(
    private readonly host: HTMLElement,
    options: ScreenOptions,
    private readonly handlers: ScreenHandlers,
    /** Id of the element that explains how to leave the terminal with the keyboard. */
    hint: string,
  ) {
    this.terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: false,
      fontFamily: FONT,
      fontSize: options.fontSize,
      lineHeight: 1.2,
      macOptionIsMeta: true,
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK_LINES,
      screenReaderMode: options.screenReader,
      theme: terminalThemes[options.scheme],
    });
    this.loadAddons();
    this.terminal.open(host);
    // Screen readers announce it with the terminal's name on focus.
    this.terminal.textarea?.setAttribute('aria-describedby', hint);
    this.useGpu();
    const drawn = host.querySelector<HTMLElement>('.xterm-screen') ?? host;
    this.echo = new LocalEcho(this.terminal, drawn, handlers.onEcho);
    this.echo.mode = options.localEcho;
    this.listen();
    this.fit.fit();
    this.own = { cols: this.terminal.cols, rows: this.terminal.rows };
    this.observer = new ResizeObserver(() => this.fitSoon());
    this.observer.observe(host);
    host.addEventListener('pointerup', this.copySelection);
  }

  /** What fits into this window. */
  get size(): Size {
    return this.own;
  }

  /** The terminal has this size: that of this window, or what several windows have in common. */
  share(size: Size): void {
    this.shared = size;
    this.fitNow();
  }

  /** Replaces everything by a snapshot of the terminal's screen. */
  redraw(bytes: Uint8Array, done: () => void): void {
    // In the order of what was written before.
    this.terminal.write('\x1bc');
    this.terminal.write(bytes, done);
  }

  /** Whether the application cursor mode is on (DECCKM). */
  get applicationKeys(): boolean {
    return this.terminal.modes.applicationCursorKeysMode;
  }

  /** Draws bytes; xterm joins UTF-8 across frames. `done` is called once they are drawn. */
  write(bytes: Uint8Array, done: () => void): void {
    this.terminal.write(bytes, () => {
      this.echo.drawn();
      done();
    });
  }

  /** Prepares for another shell, and keeps the former one's output on the screen. */
  restore(): void {
    this.echo.reset();
    this.terminal.write(RESTORE);
  }

  /** Clears everything. */
  clear(): void {
    this.echo.reset();
    this.terminal.reset();
  }

  apply(options: ScreenOptions): void {
    this.terminal.options.theme = terminalThemes[options.scheme];
    this.terminal.options.screenReaderMode = options.screenReader;
    this.echo.mode = options.localEcho;
    if (this.terminal.options.fontSize !== options.fontSize) {
      this.terminal.options.fontSize = options.fontSize;
      this.fitSoon();
    }
  }

  focus(): void {
    this.terminal.focus();
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
    this.host.removeEventListener('pointerup', this.copySelection);
    this.echo.dispose();
    this.terminal.dispose();
  }

  private loadAddons(): void {
    const { terminal } = this;
    terminal.loadAddon(this.fit);
    terminal.loadAddon(this.search);
    terminal.loadAddon(new Unicode11Addon());
    terminal.unicode.activeVersion = '11';
    terminal.loadAddon(new WebLinksAddon(openLink));
    // A device may write to the clipboard (OSC 52), as editors and tmux do, but never read it.
    terminal.loadAddon(
      new ClipboardAddon(undefined, {
        readText: () => '',
        writeText: (_selection, text) => navigator.clipboard?.writeText(text).catch(() => undefined),
      }),
    );
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

  private listen(): void {
    const { terminal, handlers } = this;
    terminal.onData(handlers.onText);
    terminal.onBinary((text) => handlers.onBytes(encodeBinaryString(text)));
    terminal.attachCustomKeyEventHandler((event) => !handlers.isReserved(event) && this.takesKey(event));
  }

  /** False for the console's own shortcuts, which must not reach the shell. */
  private takesKey(event: KeyboardEvent): boolean {
    if (!event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey) return true;
    if (event.code === 'KeyV') return false;
    if (event.code !== 'KeyC' && event.code !== 'KeyF' && event.code !== 'KeyL') return true;
    event.preventDefault();
    if (event.type === 'keydown' && event.code === 'KeyC') this.copySelection();
    if (event.type === 'keydown' && event.code === 'KeyF') this.handlers.onSearch();
    if (event.type === 'keydown' && event.code === 'KeyL') this.handlers.onLeave();
    return false;
  }

  private readonly copySelection = (): void => {
    const text = this.terminal.getSelection();
    if (text) void navigator.clipboard?.writeText(text).catch(() => undefined);
  };

  private fitSoon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      if (this.host.clientWidth > 0 && this.host.clientHeight > 0) this.fitNow();
    });
  }

  private fitNow(): void {
    const fitting = this.fit.proposeDimensions();
    if (!fitting || Number.isNaN(fitting.cols) || Number.isNaN(fitting.rows)) return;
    const own = { cols: fitting.cols, rows: fitting.rows };
    if (this.shared && isSame(this.shared, own)) this.shared = null;
    const { cols, rows } = this.shared ?? own;
    this.host.toggleAttribute('data-shared', this.shared !== null);
    if (!isSame(this.terminal, { cols, rows })) this.terminal.resize(cols, rows);
    if (isSame(own, this.own)) return;
    this.own = own;
    this.handlers.onSize(own);
  }
}

const isSame = (one: Size, other: Size) => one.cols === other.cols && one.rows === other.rows;

function openLink(_event: MouseEvent, address: string): void {
  if (/^https?:\/\//i.test(address)) window.open(address, '_blank', 'noopener,noreferrer');
}
