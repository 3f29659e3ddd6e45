import { Skeleton, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ListState } from '../lib/list-state.ts';
import classes from './DataTable.module.css';

export interface Column<Row> {
  id: string;
  label: string;
  /** The head shows nothing, and is only read out: for a column of menus. */
  hiddenLabel?: boolean;
  /** What `sort` says in the address; absent when the column can't be sorted by. */
  sort?: string;
  render: (row: Row) => ReactNode;
  width?: number | string;
  /** Left out on narrow windows, where what matters less must not push out what matters. */
  wideOnly?: boolean;
  /** Left out before the name gets short: what the row's details tell as well. */
  roomyOnly?: boolean;
  align?: 'right';
}

interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  /** Undefined while the first answer is on its way. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  state: Pick<ListState, 'sort' | 'order'>;
  onSort: (sort: string) => void;
  /** Newer rows are on their way; the shown ones stay until they are here. */
  busy?: boolean;
  empty: ReactNode;
}

const SKELETON_ROWS = 8;

/** A list of rows: sticky sortable heads, skeletons that hold the rows' place, and what to show when there are none. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, busy = false } = props;
  if (rows?.length === 0) return <div className={classes.frame}>{props.empty}</div>;
  return (
    <div className={classes.frame} data-busy={busy || undefined}>
      <Table aria-label={props.label} aria-busy={busy || !rows} className={classes.table} highlightOnHover={!!rows}>
        <Table.Thead className={classes.head}>
          <Table.Tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} state={props.state} onSort={props.onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows
            ? rows.map((row) => (
                <Table.Tr key={rowKey(row)} className={classes.row}>
                  {columns.map((column) => (
                    <Table.Td key={column.id} {...cell(column)}>
                      {column.render(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))
            : Array.from({ length: SKELETON_ROWS }, (_, index) => (
                <Table.Tr key={index} className={classes.row}>
                  {columns.map((column) => (
                    <Table.Td key={column.id} {...cell(column)}>
                      <Skeleton height={12} width={`${45 + ((index * 17) % 40)}%`} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function cell<Row>(column: Column<Row>) {
  return {
    className: `${classes.cell} ${column.wideOnly ? classes.wideOnly : ''} ${column.roomyOnly ? classes.roomyOnly : ''}`,
    ...(column.align ? { 'data-align': column.align } : {}),
  };
}

interface HeadProps<Row> {
  column: Column<Row>;
  state: Pick<ListState, 'sort' | 'order'>;
  onSort: (sort: string) => void;
}

function Head<Row>({ column, state, onSort }: HeadProps<Row>) {
  const style = column.width === undefined ? undefined : { width: column.width };
  const { sort } = column;
  if (sort === undefined) {
    return (
      <Table.Th {...cell(column)} style={style} scope="col">
        {column.hiddenLabel ? <VisuallyHidden>{column.label}</VisuallyHidden> : column.label}
      </Table.Th>
    );
  }
  const active = state.sort === sort;
  const ascending = state.order === 'asc';
  const Icon = !active ? IconSelector : ascending ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th
      {...cell(column)}
      style={style}
      scope="col"
      aria-sort={active ? (ascending ? 'ascending' : 'descending') : 'none'}
    >
      <UnstyledButton className={classes.sort} data-active={active || undefined} onClick={() => onSort(sort)}>
        {column.label}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}
