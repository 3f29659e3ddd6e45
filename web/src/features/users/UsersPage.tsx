import { useParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import type { User } from '../../lib/api/types.ts';
import { appliedSearch } from '../../lib/list-state.ts';
import type { ListRules } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { Person } from '../../ui/Person.tsx';
import { StatusWord } from '../../ui/StatusWord.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { useListState } from '../../ui/useListState.ts';
import { GroupInfo } from './GroupInfo.tsx';

const LIMIT = 20;
const MOST_GROUPS = 200;
const rules: ListRules = { sorts: ['name'] };
const text = messages.users;

function columns(operator: boolean, inGroup: boolean): Column<User>[] {
  const account: Column<User> = {
    id: 'account',
    label: text.account,
    wideOnly: true,
    render: (user) => user.account_name,
  };
  const role: Column<User> = { id: 'role', label: text.role, width: 130, render: (user) => user.group.role || '–' };
  return [
    {
      id: 'name',
      label: text.name,
      render: (user) => (
        <TwoLines
          lead={<Person name={user.name || user.email} picture={user.picture} />}
          name={user.name || user.email}
          note={user.email}
        />
      ),
    },
    ...(operator ? [account] : []),
    ...(inGroup ? [] : [role]),
    {
      id: 'status',
      label: text.status,
      width: 120,
      wideOnly: true,
      render: (user) => <StatusWord status={user.status} />,
    },
  ];
}

/** The users of one account, of all of them, or of one group. */
export function UsersPage() {
  const session = useSession();
  const { account_id: account = ALL, id: group } = useParams();
  const list = useListState(rules);
  const search = appliedSearch(list.state);
  const query = api.useListUsersQuery({
    page: list.state.page,
    limit: LIMIT,
    account,
    ...(group ? { group } : {}),
    ...(search ? { search } : {}),
  });
  const groups = api.useListGroupsQuery({ page: 1, limit: MOST_GROUPS, account }, { skip: !group });
  const inside = groups.data?.groups.find((one) => one.id === group);
  const home = { label: messages.nav.home, to: '/' };
  const steps = group
    ? [home, { label: messages.nav.groups, to: `/groups/${account}` }, { label: inside?.name ?? messages.users.group }]
    : [home, { label: messages.nav.users }];
  return (
    <ListPage
      texts={text}
      heading={group ? (inside?.name ?? text.group) : undefined}
      trail={<Trail steps={steps} />}
      above={inside ? <GroupInfo group={inside} /> : null}
      list={list}
      limit={LIMIT}
      columns={columns(session.operator, group !== undefined)}
      query={query}
      rows={query.data?.users}
      total={query.data?.total}
      rowKey={(user) => user.id}
    />
  );
}
