import { Button, useComputedColorScheme } from '@mantine/core';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { devicePage as text } from '../../lib/messages/device-page.ts';
import classes from './Chart.module.css';
import { selectByFinger } from './finger.ts';
import { CHART_KEYS, spanAfter } from './keys.ts';

export interface ChartSeries {
  name: string;
  values: (number | null)[];
  /** Drawn thin and pale: an extreme of the line before. */
  isExtreme?: boolean;
}

/** Something that happened, on the time axis. */
export interface ChartMark {
  /** Seconds since 1970. */
  time: number;
  text: string;
  isAlert?: boolean;
}

export interface ChartProps {
  title: string;
  unit: string;
  /** Seconds since 1970. */
  times: number[];
  series: ChartSeries[];
  from: number;
  to: number;
  /** A fixed scale, such as 0 to 100. */
  scale?: [number, number];
  format: (value: number) => string;
  /** Charts of one key share their crosshair. */
  group: string;
  marks: ChartMark[];
  onZoom: (from: number, to: number) => void;
  /** Shows the whole range again. */
  onReset: () => void;
}

const HEIGHT = 180;
const COLOURS = 6;
/** So close to a mark, in pixels, its text is shown. */
const NEAR = 6;

const WHOLE_DAY = '\n{D} {MMM} {YYYY}';
/**
 * Formats of times at the axis, as uPlot expects them: for steps of so many seconds each, and below them where a year, month, day, hour, minute
 * or second begins.
 */
const TIMES: uPlot.Axis.Values = [
  [31_536_000, '{YYYY}', null, null, null, null, null, null, 1],
  [2_419_200, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', WHOLE_DAY, null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', WHOLE_DAY, null, '\n{D} {MMM}', null, null, null, 1],
];

/** A chart over time: hover for values; drag by mouse or finger, or use keys, to zoom. Gaps in the values are gaps in the line. */
export function Chart(props: ChartProps) {
  const hint = useId();
  const keyed = useRef<HTMLDivElement>(null);
  const { host, note, timeAtPointer } = usePlot(props);
  const { onZoom, onReset, from, to, series } = props;
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  const reset = () => {
    keyed.current?.focus();
    onReset();
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const span = spanAfter({ from, to }, event.key, timeAtPointer());
    if (span === undefined) return;
    event.preventDefault();
    if (span) onZoom(span.from, span.to);
    else onReset();
  };
  return (
    <figure className={classes.figure} data-empty={isEmpty || undefined}>
      <figcaption className={classes.title}>{text.chart(props.title, props.unit)}</figcaption>
      {/* An application, so that screen readers pass the keys on. */}
      <div
        ref={keyed}
        className={classes.keyed}
        role="application"
        tabIndex={0}
        aria-label={text.zoomOf(props.title)}
        aria-describedby={hint}
        aria-keyshortcuts={CHART_KEYS}
        onKeyDown={press}
      >
        <div ref={host} className={classes.plot} role="img" aria-label={summaryOf(props)} />
      </div>
      <div className={classes.below}>
        {/* The list of events says the same. */}
        <p ref={note} className={classes.note} aria-hidden />
        <p id={hint} className={classes.keys}>
          {text.keys}
        </p>
      </div>
      {isEmpty ? (
        <div className={classes.empty}>
          {text.noSamples}
          <Button size="compact-xs" variant="default" onClick={reset}>
            {text.zoomOut}
          </Button>
        </div>
      ) : null}
    </figure>
  );
}

/** Draws into `host`, again for each change, and writes the marks at the pointer into `note`. */
function usePlot(props: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const note = useRef<HTMLParagraphElement>(null);
  const plotted = useRef<uPlot>(null);
  const scheme = useComputedColorScheme('light');
  const { onZoom } = props;
  const zoom = useRef(onZoom);
  useEffect(() => {
    zoom.current = onZoom;
  }, [onZoom]);
  const drawn = JSON.stringify([props.times, props.series, props.from, props.to, props.marks]);
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const reactions: Reactions = {
      zoom: (from, to) => zoom.current(from, to),
      near: (marks) => note.current?.replaceChildren(marks.map((mark) => mark.text).join(' · ')),
      pointer: plotted.current?.cursor,
    };
    const plot = new uPlot(optionsOf(props, element, reactions), dataOf(props), element);
    plotted.current = plot;
    selectByFinger(plot);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
    // `drawn` changes with the other properties.
  }, [drawn, scheme]);
  const timeAtPointer = () => {
    const { left = -1 } = plotted.current?.cursor ?? {};
    return left < 0 ? undefined : plotted.current?.posToVal(left, 'x');
  };
  return { host, note, timeAtPointer };
}

function dataOf({ times, series }: ChartProps): uPlot.AlignedData {
  return [times, ...series.map(({ values }) => values)];
}

interface Reactions {
  zoom: ChartProps['onZoom'];
  /** The marks under the pointer have changed. */
  near: (marks: ChartMark[]) => void;
  /** Where the pointer is, over the plot before. */
  pointer: uPlot.Cursor | undefined;
}

function optionsOf(props: ChartProps, element: HTMLElement, { zoom, near, pointer }: Reactions): uPlot.Options {
  const colours = coloursOf(element);
  const axis = {
    font: `12px ${getComputedStyle(element).fontFamily}`,
    stroke: colours.text,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1 },
  };
  let line = -1;
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { live: true },
    scales: {
      x: { min: props.from, max: props.to },
      y: props.scale
        ? { range: props.scale }
        : { range: (_plot, _least, most) => [0, Math.max(most || 0, 1e-9) * 1.1] },
    },
    axes: [
      { ...axis, values: TIMES },
      { ...axis, size: 72, values: (_plot, values) => values.map((value) => props.format(value)) },
    ],
    series: [
      { value: '{D} {MMM} {YYYY} {HH}:{mm}' },
      ...props.series.map(({ name, isExtreme = false }) => {
        if (!isExtreme) line++;
        const colour = colours.series[line % COLOURS] ?? colours.text;
        const stroke = isExtreme ? `color-mix(in srgb, ${colour} 45%, transparent)` : colour;
        return {
          label: name,
          stroke,
          width: isExtreme ? 1 : 1.5,
          points: { show: false, filter: isolated, size: 3, fill: stroke },
          value: (_plot: uPlot, value: number | null) => (value === null ? '–' : props.format(value)),
        };
      }),
    ],
    cursor: { sync: { key: props.group }, drag: { x: true, y: false, setScale: false } },
    hooks: {
      ready: [(plot) => pointer && plot.setCursor({ left: pointer.left ?? -1, top: pointer.top ?? -1 })],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 5) return;
          zoom(Math.floor(plot.posToVal(left, 'x')), Math.ceil(plot.posToVal(left + width, 'x')));
        },
      ],
      setCursor: [(plot) => near(marksAt(plot, props.marks))],
      draw: [(plot) => drawMarks(plot, props.marks, colours)],
    },
  };
}

/** Values between gaps, which no line shows. */
function isolated({ data }: uPlot, index: number): number[] {
  const values = data[index] ?? [];
  const isGap = (at: number) => (values[at] ?? null) === null;
  return [...values.keys()].filter((at) => !isGap(at) && isGap(at - 1) && isGap(at + 1));
}

function marksAt(plot: uPlot, marks: readonly ChartMark[]): ChartMark[] {
  const { left = -1 } = plot.cursor;
  if (left < 0) return [];
  return marks.filter(({ time }) => Math.abs(plot.valToPos(time, 'x') - left) <= NEAR);
}

/** Draws marks on the time axis. */
function drawMarks(plot: uPlot, marks: readonly ChartMark[], colours: { mark: string; alert: string }): void {
  const { ctx, bbox } = plot;
  ctx.save();
  for (const { time, isAlert = false } of marks) {
    ctx.fillStyle = isAlert ? colours.alert : colours.mark;
    const x = plot.valToPos(time, 'x', true);
    if (x >= bbox.left && x <= bbox.left + bbox.width) ctx.fillRect(x - 1, bbox.top + bbox.height - 10, 2, 10);
  }
  ctx.restore();
}

function coloursOf(element: HTMLElement) {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(name).trim() || 'currentColor';
  return {
    text: of('--chart-text'),
    line: of('--chart-line'),
    mark: of('--chart-mark'),
    alert: of('--state-bad'),
    series: Array.from({ length: COLOURS }, (_, index) => of(`--chart-${index + 1}`)),
  };
}

/** Describes the chart for screen readers. */
function summaryOf({ title, series, format }: ChartProps): string {
  const parts = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    const last = known.at(-1);
    if (last === undefined) return text.noValues(name);
    const [least, most] = [Math.min(...known), Math.max(...known)];
    return text.seriesSummary(name, format(last), format(least), format(most));
  });
  return parts.length > 0 ? text.summary(title, parts) : text.noValues(title);
}
