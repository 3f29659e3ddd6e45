import { number } from '../../lib/numbers.ts';
import { usage as text } from '../../lib/messages/usage.ts';
import { roundTop } from '../../lib/trend.ts';
import { dayLabel } from './month.ts';
import classes from './Usage.module.css';

const HEIGHT = 96;
/** Width of a day; its bar is narrower. */
const DAY = 10;
const BAR = 7;

interface BarsProps {
  title: string;
  unit: string;
  /** In that unit, a value for each day. */
  values: { start: string; value: number }[];
}

/** A bar for each day, with its scale. The table has the same data for screen readers. */
export function Bars({ title, unit, values }: BarsProps) {
  const most = Math.max(0, ...values.map(({ value }) => value));
  const top = most < 1 ? 1 : roundTop(most);
  const sum = values.reduce((total, { value }) => total + value, 0);
  const width = Math.max(1, values.length) * DAY;
  const [first, last] = [values[0], values.at(-1)];
  return (
    <section className={classes.chartCard}>
      <h2 className={classes.chartTitle}>
        {title} <span className={classes.unit}>({unit})</span>
      </h2>
      <figure className={classes.figure} role="img" aria-label={text.chart(title, unit, number(most), number(sum))}>
        <div className={classes.scale}>
          <span>{number(top)}</span>
          <span>{number(top / 2)}</span>
          <span>0</span>
        </div>
        <svg className={classes.chart} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
          <line x1={0} x2={width} y1={HEIGHT / 2} y2={HEIGHT / 2} className={classes.grid} />
          {values.map(({ start, value }, index) => (
            <g key={start}>
              <rect
                className={classes.bar}
                x={index * DAY + (DAY - BAR) / 2}
                width={BAR}
                y={HEIGHT - (value / top) * HEIGHT}
                height={(value / top) * HEIGHT}
              />
              <rect className={classes.hit} x={index * DAY} width={DAY} y={0} height={HEIGHT}>
                <title>{text.bar(dayLabel(start), `${number(value)} ${unit}`)}</title>
              </rect>
            </g>
          ))}
        </svg>
        <div className={classes.ends}>
          <span>{first ? dayLabel(first.start) : ''}</span>
          <span>{last && last !== first ? dayLabel(last.start) : ''}</span>
        </div>
      </figure>
    </section>
  );
}
