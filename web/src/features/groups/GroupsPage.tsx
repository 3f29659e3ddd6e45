import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { LIMITS } from '@warren/rules/limits';
import { useParams } from 'react-router';
import { ALL, maySee } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import type { Group } from '../../lib/api/types.ts';
import { appliedSearch } from '../../lib/list-state.ts';
import type { ListRules } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { InviteButton } from '../../ui/InviteButton.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { useListState } from '../../ui/useListState.ts';
import { groupColumns } from './columns.tsx';
import { CreateGroup } from './CreateGroup.tsx';
import { DeleteGroup } from './DeleteGroup.tsx';

const LIMIT = LIMITS.pageSize.groups;
const rules: ListRules = { sorts: ['name'] };
const text = messages.groups;

/** The groups of one account, or of all of them. */
export function GroupsPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const list = useListState(rules);
  const remove = useDialog<Group>();
  const search = appliedSearch(list.state);
  const query = api.useListGroupsQuery({
    page: list.state.page,
    limit: LIMIT,
    account,
    ...(search ? { search } : {}),
  });
  const all = account === ALL;
  const accountName = useAccountName(account);
  return (
    <>
      <ListPage
        texts={all ? { ...text, emptyText: messages.forms.pickAccount } : text}
        trail={<Trail steps={trail(accountName)} />}
        actions={all ? null : <Actions account={account} accountName={accountName} />}
        list={list}
        limit={LIMIT}
        columns={groupColumns({
          withAccount: session.operator && all,
          ownersPage: maySee(session, 'owners'),
          onDelete: remove.open,
        })}
        query={query}
        rows={query.data?.groups}
        total={query.data?.total}
        rowKey={(group) => group.id}
      />
      <Dialog control={remove} title={text.delete}>
        {(group) => <DeleteGroup group={group} onClose={remove.close} />}
      </Dialog>
    </>
  );
}

const trail = (accountName: string) => [
  { label: messages.nav.home, to: '/' },
  ...(accountName ? [{ label: accountName }] : []),
];

function Actions({ account, accountName }: { account: string; accountName: string }) {
  const create = useDialog<string>();
  return (
    <>
      <InviteButton into={{ account, accountName }} />
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => create.open(account)}>
        {text.create}
      </Button>
      <Dialog control={create} title={text.create}>
        {(where) => <CreateGroup account={where} onClose={create.close} />}
      </Dialog>
    </>
  );
}
