import { Button, Text } from '@mantine/core';
import { IconShieldQuestion } from '@tabler/icons-react';
import { Link, useParams, useSearchParams } from 'react-router';
import { ALL, maySee } from '../../../lib/access.ts';
import { isRefusal } from '../../../lib/api/errors.ts';
import type { AccessRequest } from '../../../lib/api/types.ts';
import { requestsApi } from '../../../lib/api/requests.ts';
import { accessRequests as text } from '../../../lib/messages/access-requests.ts';
import { messages } from '../../../lib/messages.ts';
import { useSession } from '../../../lib/session.ts';
import { useAccountName } from '../../../lib/useAccountName.ts';
import { AskForm } from '../../../ui/AskForAccess.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { ListFooter } from '../../../ui/ListFooter.tsx';
import { Missing } from '../../../ui/Missing.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Trail } from '../../../ui/Trail.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { requestColumns } from './columns.tsx';
import { DecideRequest } from './DecideRequest.tsx';
import classes from './RequestsPage.module.css';
import { WithdrawRequest } from './WithdrawRequest.tsx';

const LIMIT = 25;
const keyOf = ({ id }: AccessRequest) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** The access requests of an account: open ones, and those that have ended. */
export function RequestsPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const name = useAccountName(account);
  const [query, setQuery] = useSearchParams();
  const state = query.get('state') === 'ended' ? 'ended' : 'open';
  const page = Math.max(1, Number(query.get('page')) || 1);
  const list = requestsApi.useListAccessRequestsQuery({ id: account, state, page, limit: LIMIT });
  const asking = useDialog<string>();
  const withdrawal = useDialog<AccessRequest>();
  const put = (change: Record<string, string>) =>
    setQuery((now) => merged(now, change), { replace: 'request' in change });
  // The address holds the request, so that a sign-in in between leads back to it.
  const chosen = list.data?.requests.find(({ id, decidable }) => decidable && id === query.get('request'));
  if (isRefusal(list.error)) return <Missing title={messages.missing.account} to="/" label={messages.missing.home} />;
  const asks = session.account === account && session.access_requests;
  const ask = (
    <Button leftSection={<IconShieldQuestion size={16} aria-hidden />} onClick={() => asking.open(account)}>
      {text.ask.action}
    </Button>
  );
  return (
    <Page
      title={text.title}
      heading={text.heading(name)}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }, parentOf(session, account, name)]} />}
      actions={asks ? ask : null}
    >
      <Tabs state={state} />
      <Text c="dimmed" maw="72ch" mb="md">
        {asks || session.account !== account ? text.lead : text.off}
      </Text>
      {list.error && !list.currentData ? (
        <Failure title={text.failed} error={list.error} retry={list.refetch} />
      ) : (
        <DataTable
          label={text.title}
          columns={requestColumns({
            me: session.user,
            decide: ({ id }) => put({ request: id }),
            withdraw: withdrawal.open,
          })}
          rows={list.data?.requests}
          rowKey={keyOf}
          state={ORDER}
          onSort={unsorted}
          busy={list.isFetching && !list.currentData}
          empty={<None state={state} />}
        />
      )}
      {list.data ? (
        <ListFooter
          total={list.data.total}
          page={page}
          limit={LIMIT}
          onPage={(next) => put({ page: next === 1 ? '' : String(next) })}
        />
      ) : null}
      <Dialog control={asking} title={text.ask.title}>
        {(of) => <AskForm account={of} onClose={asking.close} />}
      </Dialog>
      <Dialog control={withdrawal} title={text.withdraw.title} focusTitle>
        {(request) => <WithdrawRequest account={account} request={request} onClose={withdrawal.close} />}
      </Dialog>
      <DecideRequest account={account} request={chosen} onClose={() => put({ request: '' })} />
    </Page>
  );
}

function merged(query: URLSearchParams, change: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [key, value] of Object.entries(change)) {
    if (value === '') next.delete(key);
    else next.set(key, value);
  }
  return next;
}

function parentOf(session: ReturnType<typeof useSession>, account: string, name: string) {
  return maySee(session, 'accounts')
    ? { label: name, to: `/accounts/${account}` }
    : { label: messages.nav.devices, to: `/devices/${account}` };
}

function None({ state }: { state: 'open' | 'ended' }) {
  if (state === 'open') return <Empty title={text.none} text={text.noneText} />;
  return <Empty title={text.nonePast} text={text.nonePastText} />;
}

function Tabs({ state }: { state: 'open' | 'ended' }) {
  return (
    <nav aria-label={text.tabs.label} className={classes.tabs}>
      <Link to="?" className={classes.tab} aria-current={state === 'open' ? 'page' : undefined}>
        {text.tabs.open}
      </Link>
      <Link to="?state=ended" className={classes.tab} aria-current={state === 'ended' ? 'page' : undefined}>
        {text.tabs.ended}
      </Link>
    </nav>
  );
}
