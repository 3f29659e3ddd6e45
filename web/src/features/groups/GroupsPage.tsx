import { Anchor, Badge } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import type { Group } from '../../lib/api/types.ts';
import { appliedSearch } from '../../lib/list-state.ts';
import type { ListRules } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useListState } from '../../ui/useListState.ts';

const LIMIT = 50;
const rules: ListRules = { sorts: ['name'] };
const text = messages.groups;
const badges: Record<string, string> = text.badges;

function columns(withAccount: boolean): Column<Group>[] {
  const account: Column<Group> = {
    id: 'account',
    label: text.account,
    wideOnly: true,
    render: (group) => group.account_name,
  };
  return [
    { id: 'name', label: text.name, render: (group) => <Name group={group} /> },
    ...(withAccount ? [account] : []),
    {
      id: 'users',
      label: text.users,
      width: 100,
      align: 'right',
      render: (group) => <span className="mono">{group.user_count}</span>,
    },
    {
      id: 'type',
      label: text.type,
      width: 160,
      wideOnly: true,
      render: (group) => (group.default === 'Yes' ? text.default : text.custom),
    },
  ];
}

/** The groups of one account, or of all of them. */
export function GroupsPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const list = useListState(rules);
  const search = appliedSearch(list.state);
  const query = api.useListGroupsQuery({
    page: list.state.page,
    limit: LIMIT,
    account,
    ...(search ? { search } : {}),
  });
  return (
    <ListPage
      texts={text}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }, { label: text.title }]} />}
      list={list}
      limit={LIMIT}
      columns={columns(session.operator && account === ALL)}
      query={query}
      rows={query.data?.groups}
      total={query.data?.total}
      rowKey={(group) => group.id}
    />
  );
}

function Name({ group }: { group: Group }) {
  const badge = group.default === 'Yes' ? badges[group.name] : undefined;
  return (
    <span style={{ display: 'flex', alignItems: 'center', gap: 8, minWidth: 0 }}>
      <Anchor component={Link} to={`/groups/${group.account_id}/${group.id}`} size="sm" truncate>
        {group.name}
      </Anchor>
      {badge ? (
        <Badge variant="default" size="sm" tt="none" fw={400} radius="sm" style={{ flex: 'none' }}>
          {badge}
        </Badge>
      ) : null}
    </span>
  );
}
