import { Anchor } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Group } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { NameWithBadge } from '../../ui/NameWithBadge.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';

const text = messages.groups;
const badges: Record<string, string> = text.badges;

const account: Column<Group> = {
  id: 'account',
  label: text.account,
  wideOnly: true,
  render: (group) => (
    <Anchor component={Link} to={`/groups/${group.account_id}`} size="sm" c="inherit">
      {group.account_name}
    </Anchor>
  ),
};

interface GroupColumnsOptions {
  withAccount: boolean;
  /** The owners' groups have a separate page, for people with access. */
  ownersPage: boolean;
  onDelete: (group: Group) => void;
}

export function groupColumns({ withAccount, ownersPage, onDelete }: GroupColumnsOptions): Column<Group>[] {
  return [
    { id: 'name', label: text.name, render: (group) => <Name group={group} ownersPage={ownersPage} /> },
    ...(withAccount ? [account] : []),
    {
      id: 'users',
      label: text.users,
      width: 76,
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
    {
      id: 'actions',
      label: text.actions,
      hiddenLabel: true,
      width: 56,
      align: 'right',
      render: (group) => (
        <RowMenu
          name={group.name}
          actions={
            group.default === 'Yes'
              ? []
              : [{ label: text.delete, icon: IconTrash, danger: true, act: () => onDelete(group) }]
          }
        />
      ),
    },
  ];
}

function Name({ group, ownersPage }: { group: Group; ownersPage: boolean }) {
  const own = group.role === 'Owner' && ownersPage;
  return (
    <NameWithBadge badge={group.default === 'Yes' ? badges[group.name] : undefined}>
      <Anchor
        component={Link}
        to={own ? `/group/${group.id}` : `/groups/${group.account_id}/${group.id}`}
        size="sm"
        truncate
      >
        {group.name}
      </Anchor>
    </NameWithBadge>
  );
}
