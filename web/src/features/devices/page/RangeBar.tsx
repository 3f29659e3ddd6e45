import { Button, SegmentedControl } from '@mantine/core';
import { devicePage as text } from '../../../lib/messages/device-page.ts';
import classes from './RangeBar.module.css';
import { RANGES, type RangeControl, type RangeName } from './useRange.ts';

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Chooses the time that charts show, and says which one it is while it is zoomed in. */
export function RangeBar({ control: { range, choose, zoomOut } }: { control: RangeControl }) {
  const { name, from, to } = range;
  const isZoomed = name === undefined;
  const span = isZoomed ? dates.formatRange(from * 1_000, to * 1_000) : text.ranges[name];
  return (
    <div className={classes.bar}>
      <SegmentedControl
        size="xs"
        aria-label={text.range}
        data={Object.keys(RANGES).map((value) => ({ value, label: text.ranges[value as RangeName] }))}
        value={name ?? ''}
        onChange={(value) => choose(value as RangeName)}
      />
      {isZoomed ? (
        <Button size="compact-sm" variant="subtle" onClick={zoomOut}>
          {text.zoomOut}
        </Button>
      ) : null}
      <span role="status" className={classes.shown} data-zoomed={isZoomed || undefined}>
        {text.shown(span)}
      </span>
    </div>
  );
}
