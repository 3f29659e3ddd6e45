import type { ReactNode } from 'react';
import { appliedSearch } from '../lib/list-state.ts';
import { messages } from '../lib/messages.ts';
import { ClearSearch } from './ClearSearch.tsx';
import { DataTable } from './DataTable.tsx';
import type { Column } from './DataTable.tsx';
import { Empty } from './Empty.tsx';
import { Failure } from './Failure.tsx';
import { ListFooter } from './ListFooter.tsx';
import { Page } from './Page.tsx';
import { SearchBox } from './SearchBox.tsx';
import { useLastPage } from './useListState.ts';
import type { ListControl } from './useListState.ts';

/** The result of a list's query in RTK Query. */
interface Query {
  isFetching: boolean;
  currentData?: unknown;
  error?: unknown;
  refetch: () => unknown;
}

interface ListPageProps<Row> {
  texts: { title: string; search: string; empty: string; failed: string; emptyText?: string };
  /** Title of the page, if it differs from the list's. */
  title?: string | undefined;
  trail?: ReactNode;
  /** Content between the head and the list. */
  above?: ReactNode;
  /** Buttons beside the search. */
  actions?: ReactNode;
  /** Button of the empty state. */
  emptyAction?: ReactNode;
  list: ListControl;
  limit: number;
  columns: Column<Row>[];
  query: Query;
  rows: Row[] | undefined;
  total: number | undefined;
  rowKey: (row: Row) => string;
}

/** A screen with a list: head with search, rows, pages. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { texts, list, query, total } = props;
  const settled = query.currentData === undefined ? undefined : total;
  const behind = useLastPage({ page: list.state.page, total: settled, limit: props.limit }, list.pageInstead);
  const search = appliedSearch(list.state);
  return (
    <Page
      title={props.title ?? texts.title}
      trail={props.trail}
      actions={
        <>
          <SearchBox label={texts.search} value={list.state.search} onSearch={list.search} />
          {props.actions}
        </>
      }
    >
      {props.above}
      {query.error && !query.currentData ? (
        <Failure title={texts.failed} error={query.error} retry={query.refetch} />
      ) : (
        <DataTable
          label={props.title ?? texts.title}
          columns={props.columns}
          rows={behind ? undefined : props.rows}
          rowKey={props.rowKey}
          state={list.state}
          onSort={list.sort}
          busy={query.isFetching && !query.currentData}
          empty={
            <Empty
              title={texts.empty}
              text={search ? messages.devices.emptySearch(search) : (texts.emptyText ?? '')}
              action={search ? <ClearSearch list={list} /> : props.emptyAction}
            />
          }
        />
      )}
      {total === undefined ? null : (
        <ListFooter total={total} page={list.state.page} limit={props.limit} onPage={list.page} />
      )}
    </Page>
  );
}
