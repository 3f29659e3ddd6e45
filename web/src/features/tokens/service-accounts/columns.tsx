import { Anchor } from '@mantine/core';
import { IconKey, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ServiceAccount } from '../../../lib/api/types.ts';
import { serviceAccounts as text } from '../../../lib/messages/service-accounts.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { RowMenu } from '../../../ui/RowMenu.tsx';
import classes from '../tokens.module.css';

interface Actions {
  edit: (one: ServiceAccount) => void;
  newToken: (one: ServiceAccount) => void;
  remove: (one: ServiceAccount) => void;
}

/** The columns of the list of service accounts. @param actions null for people who may not change them */
export function serviceAccountColumns(account: string, actions: Actions | null): Column<ServiceAccount>[] {
  const menu: Column<ServiceAccount> = {
    id: 'actions',
    label: text.columns.actions,
    hiddenLabel: true,
    width: 56,
    align: 'right',
    render: (one) => (actions ? <Menu one={one} actions={actions} /> : null),
  };
  return [
    { id: 'name', label: text.columns.name, render: (one) => <Name account={account} one={one} /> },
    { id: 'role', label: text.columns.role, width: '14%', wideOnly: true, render: ({ role }) => role },
    {
      id: 'status',
      label: text.columns.status,
      width: '14%',
      wideOnly: true,
      render: ({ status }) => text.statuses[status],
    },
    {
      id: 'tokens',
      label: text.columns.tokens,
      width: '16%',
      wideOnly: true,
      render: (one) => <ToTokens account={account} one={one} />,
    },
    {
      id: 'by',
      label: text.columns.by,
      width: '20%',
      wideOnly: true,
      render: ({ created_by: by }) => <span title={by}>{by}</span>,
    },
    ...(actions ? [menu] : []),
  ];
}

interface OfAccount {
  account: string;
  one: ServiceAccount;
}

function ToTokens({ account, one: { name, handle } }: OfAccount) {
  return (
    <Anchor
      component={Link}
      size="sm"
      to={`/tokens/${account}?${new URLSearchParams({ search: handle })}`}
      aria-label={text.tokensOf(name)}
    >
      {text.showTokens}
    </Anchor>
  );
}

function Name({ account, one }: OfAccount) {
  const { name, description, role, status } = one;
  return (
    <span className={classes.two}>
      <span>{name}</span>
      {description === '' ? null : <span className={classes.note}>{description}</span>}
      <span className={classes.stacked}>
        {role} · {text.statuses[status]} · <ToTokens account={account} one={one} />
      </span>
    </span>
  );
}

function Menu({ one, actions }: { one: ServiceAccount; actions: Actions }) {
  const newToken = { label: text.newToken, icon: IconKey, act: () => actions.newToken(one) };
  return (
    <RowMenu
      name={one.name}
      actions={[
        ...(one.status === 'Active' ? [newToken] : []),
        { label: text.editAction, icon: IconPencil, act: () => actions.edit(one) },
        { label: text.removeAction, icon: IconTrash, danger: true, act: () => actions.remove(one) },
      ]}
    />
  );
}
