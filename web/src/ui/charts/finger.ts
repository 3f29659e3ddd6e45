import type uPlot from 'uplot';

/** Less is a tap, or the start of scrolling. */
const LEAST = 16;

/**
 * Selects by a finger that moves sideways, as uPlot does by the mouse. The browser keeps vertical movement, which scrolls the page: it then
 * cancels the pointer (`touch-action` in Chart.module.css).
 */
export function selectByFinger(plot: uPlot): void {
  const { over } = plot;
  let start: number | undefined;
  const placeOf = (event: PointerEvent) => {
    const { left, width } = over.getBoundingClientRect();
    return Math.min(Math.max(event.clientX - left, 0), width);
  };
  const select = (from: number, to: number, isFinal: boolean) =>
    plot.setSelect(
      { left: Math.min(from, to), width: Math.abs(to - from), top: 0, height: over.clientHeight },
      isFinal,
    );
  const clear = () => {
    start = undefined;
    select(0, 0, false);
  };
  over.addEventListener('pointerdown', (event) => {
    // A second finger is no selection.
    if (event.pointerType === 'touch') start = event.isPrimary ? placeOf(event) : undefined;
  });
  over.addEventListener('pointermove', (event) => {
    if (start === undefined || event.pointerType !== 'touch') return;
    const place = placeOf(event);
    plot.setCursor({ left: place, top: over.clientHeight / 2 });
    select(start, place, false);
  });
  over.addEventListener('pointerup', (event) => {
    if (start === undefined || event.pointerType !== 'touch') return;
    const [from, to] = [start, placeOf(event)];
    clear();
    if (Math.abs(to - from) >= LEAST) select(from, to, true);
  });
  over.addEventListener('pointercancel', clear);
}
