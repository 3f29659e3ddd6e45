import { LIMITS } from '@warren/rules/limits';
import { useParams } from 'react-router';
import { ALL, maySee } from '../../lib/access.ts';
import type { Token } from '../../lib/api/types.ts';
import { tokensApi } from '../../lib/api/tokens.ts';
import { appliedSearch, type ListRules } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { tokens } from '../../lib/messages/tokens.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { useListState } from '../../ui/useListState.ts';
import { tokenColumns } from './columns.tsx';
import { RevokeToken } from './RevokeToken.tsx';

const LIMIT = LIMITS.pageSize.users;
/** Newest first. */
const rules: ListRules = { sorts: ['created'] };
const text = tokens.account;

/** The API tokens of the people of an account. */
export function AccountTokensPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const name = useAccountName(account);
  const list = useListState(rules);
  const revoking = useDialog<Token>();
  const search = appliedSearch(list.state);
  const query = tokensApi.useListTokensQuery(
    { page: list.state.page, limit: LIMIT, account, ...(search ? { search } : {}) },
    { refetchOnMountOrArgChange: true },
  );
  const steps = [
    { label: messages.nav.home, to: '/' },
    maySee(session, 'accounts')
      ? { label: name, to: `/accounts/${account}` }
      : { label: messages.nav.users, to: `/users/${account}` },
  ];
  return (
    <>
      <ListPage
        texts={text}
        trail={<Trail steps={steps} />}
        list={list}
        limit={LIMIT}
        columns={tokenColumns({ withOwner: true, revoke: revoking.open })}
        query={query}
        rows={query.data?.tokens}
        total={query.data?.total}
        rowKey={({ id }) => id}
      />
      <Dialog control={revoking} title={tokens.revokeTitle}>
        {(token) => <RevokeToken own={false} token={token} onClose={revoking.close} />}
      </Dialog>
    </>
  );
}
