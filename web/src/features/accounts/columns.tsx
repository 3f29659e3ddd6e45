import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Account } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { CopiedEmail, Email } from '../../ui/Email.tsx';
import { NameWithBadge } from '../../ui/NameWithBadge.tsx';
import { Person } from '../../ui/Person.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { StatusWord } from '../../ui/StatusWord.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { When } from '../../ui/When.tsx';
import { useAccountActions } from './useAccountActions.ts';
import type { AccountDialogControls } from './useAccountDialogs.ts';

const text = messages.accounts;

/** The columns of the accounts directory; actions only for people with permission. */
export function accountColumns(dialogs: AccountDialogControls | null): Column<Account>[] {
  const actions: Column<Account>[] = dialogs
    ? [
        {
          id: 'actions',
          label: text.actions,
          hiddenLabel: true,
          width: 56,
          align: 'right',
          render: (account) => <Actions account={account} dialogs={dialogs} />,
        },
      ]
    : [];
  return [
    { id: 'name', label: text.name, render: (account) => <Name account={account} /> },
    { id: 'owner', label: text.owner, wideOnly: true, render: (account) => <Owner owner={account.owner} /> },
    { id: 'status', label: text.status, width: 110, render: (account) => <StatusWord status={account.status} /> },
    ...actions,
  ];
}

function Name({ account }: { account: Account }) {
  return (
    <TwoLines
      name={
        <NameWithBadge badge={account.operator ? text.operator : undefined}>
          <Anchor component={Link} to={`/accounts/${account.id}`} size="sm" truncate>
            {account.name}
          </Anchor>
        </NameWithBadge>
      }
      note={
        <>
          {text.since} <When at={account.created} />
        </>
      }
    />
  );
}

function Actions({ account, dialogs }: { account: Account; dialogs: AccountDialogControls }) {
  return <RowMenu name={account.name} actions={useAccountActions(account, dialogs)} />;
}

export function Owner({ owner }: { owner: Account['owner'] }) {
  if (!owner) return <span style={{ color: 'var(--mantine-color-dimmed)' }}>{text.noOwner}</span>;
  const name = owner.name || owner.email;
  const shown = owner.name || <Email address={owner.email} />;
  const pending = owner.signup_status !== 'Yes';
  return (
    <TwoLines
      lead={<Person name={name} picture={owner.picture} />}
      name={
        pending ? (
          <NameWithBadge badge={text.pending} warn>
            {shown}
          </NameWithBadge>
        ) : (
          shown
        )
      }
      note={owner.email === name ? '' : <CopiedEmail address={owner.email} of={name} />}
    />
  );
}
