import { Button } from '@mantine/core';
import classes from './Pages.module.css';

interface PagesProps {
  /** The cursor of the page that is shown; null for the first. */
  cursor: string | null;
  /** The cursor of the page after it; null for the last. */
  next: string | null;
  /** The words for the way back to the first page and on to the next. */
  first: string;
  more: string;
  onPage: (cursor: string | null) => void;
}

/** The way to older entries of a list and back. New ones come all the time, so pages have no numbers. */
export function Pages({ cursor, next, first, more, onPage }: PagesProps) {
  if (!cursor && !next) return null;
  return (
    <div className={classes.root}>
      <Button size="compact-sm" variant="subtle" disabled={!cursor} onClick={() => onPage(null)}>
        {first}
      </Button>
      <Button size="compact-sm" variant="subtle" disabled={!next} onClick={() => onPage(next)}>
        {more}
      </Button>
    </div>
  );
}
