import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import type { Account } from '../../lib/api/types.ts';
import { day } from '../../lib/format.ts';
import { appliedSearch } from '../../lib/list-state.ts';
import type { ListRules } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { Person } from '../../ui/Person.tsx';
import { StatusWord } from '../../ui/StatusWord.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { useListState } from '../../ui/useListState.ts';

const LIMIT = 50;
const rules: ListRules = { sorts: ['name'] };
const text = messages.accounts;

const columns: Column<Account>[] = [
  {
    id: 'name',
    label: text.name,
    render: (account) => (
      <TwoLines
        name={
          <Anchor component={Link} to={`/devices/${account.id}`} size="sm">
            {account.name}
          </Anchor>
        }
        note={text.created(day(account.created))}
      />
    ),
  },
  { id: 'owner', label: text.owner, wideOnly: true, render: (account) => <Owner owner={account.owner} /> },
  { id: 'status', label: text.status, width: 120, render: (account) => <StatusWord status={account.status} /> },
];

/** All accounts of this hub. */
export function AccountsPage() {
  const list = useListState(rules);
  const search = appliedSearch(list.state);
  const query = api.useListAccountsQuery({ page: list.state.page, limit: LIMIT, ...(search ? { search } : {}) });
  return (
    <ListPage
      texts={text}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }, { label: messages.nav.accounts }]} />}
      list={list}
      limit={LIMIT}
      columns={columns}
      query={query}
      rows={query.data?.accounts}
      total={query.data?.total}
      rowKey={(account) => account.id}
    />
  );
}

function Owner({ owner }: { owner: Account['owner'] }) {
  if (!owner) return <span style={{ color: 'var(--mantine-color-dimmed)' }}>{text.noOwner}</span>;
  const pending = owner.signup_status !== 'Yes';
  return (
    <TwoLines
      lead={<Person name={owner.name || owner.email} picture={owner.picture} />}
      name={owner.name || owner.email}
      note={pending ? text.pending : owner.email}
    />
  );
}
