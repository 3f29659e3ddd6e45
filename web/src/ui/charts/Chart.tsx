import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { devicePage as text } from '../../lib/messages/device-page.ts';
import classes from './Chart.module.css';

export interface ChartSeries {
  name: string;
  values: (number | null)[];
  /** Drawn thin and pale: an extreme of the line before. */
  isExtreme?: boolean;
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
  /** Marks on the time axis, in seconds. */
  marks: number[];
  onZoom: (from: number, to: number) => void;
}

const HEIGHT = 180;
const COLOURS = 6;

/** A chart over time: hover for values, drag to zoom. Gaps in the values are gaps in the line. */
export function Chart(props: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
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
    const plot = new uPlot(
      optionsOf(props, element, (from, to) => zoom.current(from, to)),
      dataOf(props),
      element,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
    // `drawn` changes with the other properties.
  }, [drawn, scheme]);
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.title}>{text.chart(props.title, props.unit)}</figcaption>
      <div ref={host} className={classes.plot} role="img" aria-label={summaryOf(props)} />
    </figure>
  );
}

function dataOf({ times, series }: ChartProps): uPlot.AlignedData {
  return [times, ...series.map(({ values }) => values)];
}

function optionsOf(props: ChartProps, element: HTMLElement, onZoom: ChartProps['onZoom']): uPlot.Options {
  const colours = coloursOf(element);
  const axis = {
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
    axes: [axis, { ...axis, size: 72, values: (_plot, values) => values.map((value) => props.format(value)) }],
    series: [
      {},
      ...props.series.map(({ name, isExtreme = false }) => {
        if (!isExtreme) line++;
        const stroke = colours.series[line % COLOURS] ?? colours.text;
        return {
          label: name,
          stroke: isExtreme ? `color-mix(in srgb, ${stroke} 45%, transparent)` : stroke,
          width: isExtreme ? 1 : 1.5,
          points: { show: false },
          value: (_plot: uPlot, value: number | null) => (value === null ? '–' : props.format(value)),
        };
      }),
    ],
    cursor: { sync: { key: props.group }, drag: { x: true, y: false, setScale: false } },
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 5) return;
          onZoom(Math.floor(plot.posToVal(left, 'x')), Math.ceil(plot.posToVal(left + width, 'x')));
        },
      ],
      draw: [(plot) => drawMarks(plot, props.marks, colours.mark)],
    },
  };
}

/** Draws marks on the time axis. */
function drawMarks(plot: uPlot, marks: number[], colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = colour;
  for (const mark of marks) {
    const x = plot.valToPos(mark, 'x', true);
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
  return text.summary(title, parts);
}
