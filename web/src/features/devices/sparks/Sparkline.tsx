import { wholePercent } from '../../../lib/format.ts';
import { sparks as text } from '../../../lib/messages/sparks.ts';
import { rangeOf, sparkPath, type SparkValues } from './spark-values.ts';
import classes from './Sparkline.module.css';

const SIZE = { width: 94, height: 20 };

/** A day of values in percent as a small line, on a scale from 0 to 100, with the last value beside it. */
export function Sparkline({ title, values }: { title: string; values: SparkValues }) {
  const { last, least, most } = rangeOf(values);
  const summary = text.summary(title, wholePercent(last), wholePercent(least), wholePercent(most));
  return (
    <span className={classes.root} title={summary}>
      <svg
        className={classes.picture}
        viewBox={`-1 -1 ${SIZE.width + 2} ${SIZE.height + 2}`}
        role="img"
        aria-label={summary}
        preserveAspectRatio="none"
      >
        <path className={classes.scale} d={`M0 0H${SIZE.width}M0 ${SIZE.height}H${SIZE.width}`} />
        <path className={classes.line} d={sparkPath(values, SIZE)} />
      </svg>
      <span className={classes.last} aria-hidden>
        {wholePercent(last)}
      </span>
    </span>
  );
}
