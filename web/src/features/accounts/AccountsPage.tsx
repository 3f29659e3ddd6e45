import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { LIMITS } from '@warren/rules/limits';
import { mayManageAccounts } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import { appliedSearch } from '../../lib/list-state.ts';
import type { ListRules } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { ListPage } from '../../ui/ListPage.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useListState } from '../../ui/useListState.ts';
import { AccountDialogs } from './AccountDialogs.tsx';
import { accountColumns } from './columns.tsx';
import { useAccountDialogs } from './useAccountDialogs.ts';

const LIMIT = LIMITS.pageSize.accounts;
const rules: ListRules = { sorts: ['name'] };
const text = messages.accounts;

/** All accounts of this hub. */
export function AccountsPage() {
  const session = useSession();
  const list = useListState(rules);
  const dialogs = useAccountDialogs();
  const search = appliedSearch(list.state);
  const query = api.useListAccountsQuery({ page: list.state.page, limit: LIMIT, ...(search ? { search } : {}) });
  const manages = mayManageAccounts(session);
  const create = manages ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialogs.create.open(true)}>
      {text.create}
    </Button>
  ) : null;
  return (
    <>
      <ListPage
        texts={text}
        trail={<Trail steps={[{ label: messages.nav.home, to: '/' }]} />}
        actions={create}
        emptyAction={create}
        list={list}
        limit={LIMIT}
        columns={accountColumns(manages ? dialogs : null)}
        query={query}
        rows={query.data?.accounts}
        total={query.data?.total}
        rowKey={(account) => account.id}
      />
      <AccountDialogs dialogs={dialogs} />
    </>
  );
}
