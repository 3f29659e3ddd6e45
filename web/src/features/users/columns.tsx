import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { maySee } from '../../lib/access.ts';
import type { User } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import type { Session } from '../../lib/session.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { CopiedEmail } from '../../ui/Email.tsx';
import { NameWithBadge } from '../../ui/NameWithBadge.tsx';
import { Person } from '../../ui/Person.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { StatusWord } from '../../ui/StatusWord.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { useUserActions } from './useUserActions.ts';
import type { UserDialogControls } from './useUserDialogs.ts';

const text = messages.users;

const account: Column<User> = {
  id: 'account',
  label: text.account,
  width: '24%',
  wideOnly: true,
  render: (user) => (
    <Anchor component={Link} to={`/accounts/${user.account}`} size="sm" c="inherit">
      {user.account_name}
    </Anchor>
  ),
};

const role: Column<User> = {
  id: 'role',
  label: text.role,
  width: 'var(--role-width, 130px)',
  wideOnly: true,
  render: (user) => user.group.role || '–',
};

/** The columns of a list of users: operator users also see the account; the role is left out in the list of one group. */
export function userColumns(session: Session, inGroup: boolean, dialogs: UserDialogControls): Column<User>[] {
  return [
    { id: 'name', label: text.name, render: (user) => <Name user={user} you={user.id === session.user} /> },
    ...(session.operator ? [maySee(session, 'accounts') ? account : plainAccount] : []),
    ...(inGroup ? [] : [role]),
    { id: 'status', label: text.status, width: 110, render: (user) => <StatusWord status={user.status} /> },
    {
      id: 'actions',
      label: text.actions,
      hiddenLabel: true,
      width: 56,
      align: 'right',
      render: (user) => <Actions user={user} dialogs={dialogs} inGroup={inGroup} />,
    },
  ];
}

const plainAccount: Column<User> = { ...account, render: (user) => user.account_name };

function Name({ user, you }: { user: User; you: boolean }) {
  const name = user.name || user.email;
  return (
    <TwoLines
      lead={<Person name={name} picture={user.picture} />}
      name={
        <NameWithBadge badge={you ? text.you : undefined}>
          <Anchor component={Link} to={`/users/${user.account}/${user.id}`} size="sm" truncate>
            {name}
          </Anchor>
        </NameWithBadge>
      }
      note={<CopiedEmail address={user.email} of={name} />}
    />
  );
}

function Actions({ user, dialogs, inGroup }: { user: User; dialogs: UserDialogControls; inGroup: boolean }) {
  return <RowMenu name={user.name || user.email} actions={useUserActions(user, dialogs, inGroup)} />;
}
