import { Pagination, Text } from '@mantine/core';
import { pageCount } from '../lib/list-state.ts';
import { messages } from '../lib/messages.ts';
import classes from './ListFooter.module.css';

interface ListFooterProps {
  total: number;
  page: number;
  limit: number;
  onPage: (page: number) => void;
}

/** The text colour on the accent for each scheme; Mantine's choice is for the light scheme only. */
const onAccent = () => ({ root: { '--pagination-active-color': 'var(--mantine-primary-color-contrast)' } });

/** Shows the number of rows and, with several pages, the shown range and buttons for other pages. */
export function ListFooter({ total, page, limit, onPage }: ListFooterProps) {
  const pages = pageCount(total, limit);
  if (pages <= 1) {
    return total === 0 ? null : (
      <div className={classes.root}>
        <Text size="xs" c="dimmed" className={classes.count}>
          {messages.common.total(total)}
        </Text>
      </div>
    );
  }
  const from = (page - 1) * limit + 1;
  return (
    <div className={classes.root}>
      <Text size="xs" c="dimmed" className={classes.count}>
        {messages.common.range(from, Math.min(total, page * limit), total)}
      </Text>
      <Pagination
        total={pages}
        value={page}
        onChange={onPage}
        siblings={1}
        size="sm"
        vars={onAccent}
        getControlProps={(control) => ({
          'aria-label': control === 'previous' ? messages.common.previous : messages.common.next,
        })}
      />
    </div>
  );
}
