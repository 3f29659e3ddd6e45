import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { LIMITS } from '@warren/rules/limits';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ALL, mayFill } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import type { Group } from '../../lib/api/types.ts';
import { appliedSearch } from '../../lib/list-state.ts';
import type { ListRules } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { InviteButton } from '../../ui/InviteButton.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { useListState } from '../../ui/useListState.ts';
import { userColumns } from './columns.tsx';
import { PendingInvitations } from './PendingInvitations.tsx';
import { UserDialogs } from './UserDialogs.tsx';
import { useInvitations } from './useInvitations.ts';
import { useUserDialogs } from './useUserDialogs.ts';

const LIMIT = LIMITS.pageSize.users;
const rules: ListRules = { sorts: ['name'] };
const text = messages.users;

interface UserListProps {
  account: string;
  /** Id of the users' group. */
  group?: string | undefined;
  /** That group, once it is loaded. */
  info?: Group | undefined;
  title?: string | undefined;
  trail: ReactNode;
  panel?: ReactNode;
}

/** Users and, above them, open invitations. */
export function UserList({ account, group, info, title, trail, panel }: UserListProps) {
  const session = useSession();
  const list = useListState(rules);
  const dialogs = useUserDialogs();
  const search = appliedSearch(list.state);
  const filter = { account, ...(group ? { group } : {}), ...(search ? { search } : {}) };
  const query = api.useListUsersQuery({ page: list.state.page, limit: LIMIT, ...filter });
  const invitations = useInvitations(account, group);
  const inviting = info !== undefined && mayFill(session, info);
  return (
    <>
      <ListPage
        texts={text}
        title={title}
        trail={trail}
        above={
          <>
            {panel}
            <PendingInvitations pending={invitations} />
          </>
        }
        actions={
          inviting ? (
            <InviteButton primary into={{ account: info.account_id, accountName: info.account_name, group: info.id }} />
          ) : group && !info ? null : (
            <>
              <Button component={Link} to="/sign-in-doctor" variant="default">
                {messages.nav.signIns}
              </Button>
              <Export filter={filter} />
            </>
          )
        }
        list={list}
        limit={LIMIT}
        columns={userColumns(session, group !== undefined, dialogs)}
        query={query}
        // Both at once, so that the table does not jump when the invitations arrive.
        rows={invitations.isLoading ? undefined : query.data?.users}
        total={query.data?.total}
        rowKey={(user) => user.id}
      />
      <UserDialogs dialogs={dialogs} />
    </>
  );
}

function Export({ filter }: { filter: { account: string; group?: string; search?: string } }) {
  const { account, ...rest } = filter;
  const query = new URLSearchParams({ ...(account === ALL ? {} : { account }), ...rest });
  return (
    <Button
      component="a"
      download
      href={`/api/users/export?${query}`}
      variant="default"
      title={text.exportHint}
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {text.export}
    </Button>
  );
}
