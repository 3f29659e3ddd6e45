import type { IBufferCell, IDisposable, Terminal } from '@xterm/xterm';
import type { Cell } from './line.ts';
import { OverlayLayer } from './overlay.ts';
import { Predictor } from './predictor.ts';
import type { EchoMode, ScreenView } from './predictor.ts';

/** The bright black of the sixteen colours, in which shells draw suggestions. */
const GREY = 8;

/** Predictive local echo of one xterm terminal: feeds the predictor, and draws what it predicts over the screen. */
export class LocalEcho {
  private readonly predictor: Predictor;
  private readonly layer: OverlayLayer;
  private readonly listeners: IDisposable[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wasActive = false;

  /** @param onActive called when predictions begin or cease to be shown */
  constructor(
    terminal: Terminal,
    screen: HTMLElement,
    private readonly onActive: (active: boolean) => void,
  ) {
    this.predictor = new Predictor(viewOf(terminal));
    this.layer = new OverlayLayer(terminal, screen);
    const reset = () => this.reset();
    this.listeners = [
      terminal.onResize(reset),
      terminal.buffer.onBufferChange(reset),
      terminal.onScroll(() => this.update()),
    ];
  }

  /** Milliseconds from a key to its echo, as a median; null before the first few. More exact than the next output's time. */
  get roundTrip(): number | null {
    return this.predictor.pace.roundTrip;
  }

  set mode(mode: EchoMode) {
    this.predictor.mode = mode;
    this.update();
  }

  /** Takes sent input. @param end the offset after it; null when it was not sent, or the device does not acknowledge input */
  typed(text: string, end: number | null): void {
    if (end === null) return this.reset();
    this.predictor.typed(text, end, performance.now());
    this.update();
  }

  /** The device has passed all input before this offset to the program. */
  accepted(offset: number): void {
    this.predictor.accepted(offset, performance.now());
    this.update();
  }

  /** Output has been parsed; it is drawn with the next frame. */
  drawn(): void {
    this.predictor.tick(performance.now());
    this.update();
  }

  /** Drops all predictions. */
  reset(): void {
    this.predictor.reset();
    this.update();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const listener of this.listeners) listener.dispose();
    this.layer.dispose();
  }

  private update(): void {
    const { predictor } = this;
    this.layer.draw(predictor.overlay);
    clearTimeout(this.timer);
    if (predictor.nextAt !== null) {
      this.timer = setTimeout(() => this.drawn(), Math.max(0, predictor.nextAt - performance.now()));
    }
    if (predictor.isActive === this.wasActive) return;
    this.wasActive = predictor.isActive;
    this.onActive(this.wasActive);
  }
}

function viewOf(terminal: Terminal): ScreenView {
  return {
    get cursor() {
      const { baseY, cursorY, cursorX } = terminal.buffer.active;
      return { row: baseY + cursorY, col: cursorX };
    },
    cells: () => {
      const { baseY, cursorY } = terminal.buffer.active;
      const line = terminal.buffer.active.getLine(baseY + cursorY);
      const reused = terminal.buffer.active.getNullCell();
      return Array.from({ length: terminal.cols }, (_, col) => cellOf(line?.getCell(col, reused)));
    },
  };
}

function cellOf(cell: IBufferCell | undefined): Cell {
  if (!cell) return { char: ' ', width: 1, faint: false };
  const width = cell.getWidth();
  const isGrey = cell.isFgPalette() && cell.getFgColor() === GREY;
  return { char: width === 0 ? '' : cell.getChars() || ' ', width, faint: cell.isDim() !== 0 || isGrey };
}
