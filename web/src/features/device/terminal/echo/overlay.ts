import type { Terminal } from '@xterm/xterm';
import type { Overlay } from './predictor.ts';
import classes from './LocalEcho.module.css';

/** The layer of predicted cells over xterm's screen. It is part of no buffer, selection or accessibility tree. */
export class OverlayLayer {
  private readonly layer = document.createElement('div');
  private isEmpty = true;

  constructor(
    private readonly terminal: Terminal,
    private readonly screen: HTMLElement,
  ) {
    this.layer.className = classes.layer ?? '';
    this.layer.setAttribute('aria-hidden', 'true');
    this.layer.dataset['localEcho'] = '';
    screen.append(this.layer);
  }

  /** Draws at once, so that the next frame shows it. Nothing is drawn while the reader is in the scrollback. */
  draw(overlay: Overlay | null): void {
    const { baseY, viewportY } = this.terminal.buffer.active;
    if (!overlay || baseY !== viewportY) {
      if (!this.isEmpty) this.layer.replaceChildren();
      this.isEmpty = true;
      return;
    }
    this.style();
    const { width, height } = this.cell;
    const place = (col: number, char: string, columns: number, name: string | undefined) => {
      const span = document.createElement('span');
      span.className = name ?? '';
      span.textContent = char;
      span.style.cssText = `left:${col * width}px;top:${(overlay.row - baseY) * height}px;width:${columns * width}px;height:${height}px;line-height:${height}px`;
      return span;
    };
    const spans = overlay.cells.map((cell) =>
      place(cell.col, cell.char, cell.width, cell.underlined ? classes.predicted : classes.plain),
    );
    const { cursor } = overlay;
    if (cursor) spans.push(place(cursor.col, cursor.char, Math.max(1, cursor.width), classes.cursor));
    this.layer.replaceChildren(...spans);
    this.isEmpty = false;
  }

  dispose(): void {
    this.layer.remove();
  }

  /** A cell's size in CSS pixels. xterm sets the screen's as a style, which needs no layout to read. */
  private get cell(): { width: number; height: number } {
    const { style, offsetWidth, offsetHeight } = this.screen;
    const { cols, rows } = this.terminal;
    return {
      width: (parseFloat(style.width) || offsetWidth) / cols,
      height: (parseFloat(style.height) || offsetHeight) / rows,
    };
  }

  private style(): void {
    const { theme, fontFamily, fontSize } = this.terminal.options;
    const { style } = this.layer;
    style.fontFamily = fontFamily ?? '';
    style.fontSize = `${fontSize}px`;
    style.setProperty('--back', theme?.background ?? '');
    style.setProperty('--fore', theme?.foreground ?? '');
    style.setProperty('--cursor', theme?.cursor ?? '');
    style.setProperty('--cursor-text', theme?.cursorAccent ?? '');
  }
}
