import { Checkbox, Skeleton, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ListState } from '../lib/list-state.ts';
import { fleet } from '../lib/messages/fleet.ts';
import { useRowKeys, type RowSelection } from './useRowKeys.ts';
import classes from './DataTable.module.css';

export interface Column<Row> {
  id: string;
  label: string;
  /** The head is visually hidden, for a column of menus. */
  hiddenLabel?: boolean;
  /** Value of `sort` in the URL; absent for a column that is not sortable. */
  sort?: string;
  render: (row: Row) => ReactNode;
  width?: number | string;
  /** Hidden in narrow windows. */
  wideOnly?: boolean;
  /** Hidden before the name is cut; the row's details show it too. */
  roomyOnly?: boolean;
  align?: 'right';
}

interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  /** Undefined while the first answer loads. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  state: Pick<ListState, 'sort' | 'order'>;
  onSort: (sort: string) => void;
  /** Newer rows are loading; the present ones stay until then. */
  busy?: boolean;
  empty: ReactNode;
  /** Wider than the window: it scrolls sideways, and its head scrolls with the page. */
  scrolls?: boolean;
  /** Rows can be selected, with a checkbox or the key `x`. */
  selection?: RowSelection<Row> | undefined;
  /** Opens a row with Enter; the keys `j` and `k` then step through the rows. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Opens a row's page with the key `o`. */
  onOpenPage?: ((row: Row) => void) | undefined;
}

const SKELETON_ROWS = 8;

/** Shows rows with sticky sortable heads, skeletons while loading, and a placeholder without rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, busy = false, selection } = props;
  const current = useRowKeys(props);
  if (rows?.length === 0) return <div className={classes.frame}>{props.empty}</div>;
  return (
    <div className={classes.frame} data-busy={busy || undefined} data-scrolls={props.scrolls || undefined}>
      <Table aria-label={props.label} aria-busy={busy || !rows} className={classes.table} highlightOnHover={!!rows}>
        <Table.Thead className={classes.head}>
          <Table.Tr>
            {selection ? <SelectPage selection={selection} keys={(rows ?? []).map(rowKey)} /> : null}
            {columns.map((column) => (
              <Head key={column.id} column={column} state={props.state} onSort={props.onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows
            ? rows.map((row) => (
                <Table.Tr
                  key={rowKey(row)}
                  className={classes.row}
                  data-row-key={rowKey(row)}
                  data-current={rowKey(row) === current || undefined}
                  data-selected={selection?.keys.has(rowKey(row)) || undefined}
                >
                  {selection ? <SelectRow selection={selection} row={row} rowKey={rowKey(row)} /> : null}
                  {columns.map((column) => (
                    <Table.Td key={column.id} {...cell(column)}>
                      {column.render(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))
            : Array.from({ length: SKELETON_ROWS }, (_, index) => (
                <Table.Tr key={index} className={classes.row}>
                  {selection ? <Table.Td className={classes.select} /> : null}
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

function SelectPage<Row>({ selection, keys }: { selection: RowSelection<Row>; keys: string[] }) {
  const count = keys.filter((key) => selection.keys.has(key)).length;
  return (
    <Table.Th className={classes.select} scope="col">
      <Checkbox
        size="xs"
        aria-label={fleet.selection.page}
        disabled={keys.length === 0}
        checked={count > 0 && count === keys.length}
        indeterminate={count > 0 && count < keys.length}
        onChange={(event) => selection.togglePage(event.currentTarget.checked)}
      />
    </Table.Th>
  );
}

function SelectRow<Row>({ selection, row, rowKey }: { selection: RowSelection<Row>; row: Row; rowKey: string }) {
  return (
    <Table.Td className={classes.select}>
      <Checkbox
        size="xs"
        aria-label={fleet.selection.one(selection.nameOf(row))}
        checked={selection.keys.has(rowKey)}
        onClick={(event) => selection.toggle(rowKey, event.shiftKey)}
        onChange={() => {}}
      />
    </Table.Td>
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
