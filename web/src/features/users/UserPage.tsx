import { Anchor, Button, Skeleton } from '@mantine/core';
import { Link, useNavigate, useParams } from 'react-router';
import { maySee } from '../../lib/access.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { User } from '../../lib/api/types.ts';
import { uuidTime } from '../../lib/format.ts';
import { messages } from '../../lib/messages.ts';
import { recordingsPath } from '../../lib/recording-access.ts';
import { useSession } from '../../lib/session.ts';
import { Email } from '../../ui/Email.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Copied } from '../../ui/Copied.tsx';
import { Fields } from '../../ui/Fields.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Page } from '../../ui/Page.tsx';
import { Person } from '../../ui/Person.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { StatusWord } from '../../ui/StatusWord.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { When } from '../../ui/When.tsx';
import { nameOf, UserDialogs } from './UserDialogs.tsx';
import { UserReach } from './UserReach.tsx';
import { useUserActions } from './useUserActions.ts';
import { useUserDialogs } from './useUserDialogs.ts';
import type { UserDialogControls } from './useUserDialogs.ts';
import classes from './UserPage.module.css';

const text = messages.users;

/** One user: identity, group, and actions. */
export function UserPage() {
  const session = useSession();
  const navigate = useNavigate();
  const { account_id: account = '', id = '' } = useParams();
  const { currentData, error, refetch } = peopleApi.useGetUserQuery({ id });
  const user = currentData?.result;
  const dialogs = useUserDialogs();
  const title = user ? nameOf(user) : text.one;
  const users = `/users/${account}`;
  const steps = [
    { label: messages.nav.home, to: '/' },
    { label: messages.nav.users, to: users },
  ];
  if (isRefusal(error)) return <Missing title={messages.missing.user} to={users} label={messages.missing.users} />;
  return (
    <Page
      title={title}
      heading={user ? <Heading user={user} /> : undefined}
      trail={<Trail steps={steps} />}
      actions={user ? <Actions user={user} dialogs={dialogs} /> : null}
    >
      {error && !user ? (
        <Failure title={text.oneFailed} error={error} retry={refetch} />
      ) : user ? (
        <Facts user={user} />
      ) : (
        <Skeleton height={260} maw={640} radius="md" />
      )}
      {user?.status === 'Active' && maySee(session, 'access') ? <UserReach id={user.id} /> : null}
      <UserDialogs dialogs={dialogs} onRemoved={() => void navigate(users, { replace: true })} />
    </Page>
  );
}

function Actions({ user, dialogs }: { user: User; dialogs: UserDialogControls }) {
  const recordings = recordingsPath(useSession(), user.account, { person: user.email });
  return (
    <>
      {recordings ? (
        <Button component={Link} to={recordings} variant="default">
          {messages.nav.sessions}
        </Button>
      ) : null}
      <RowMenu name={nameOf(user)} actions={useUserActions(user, dialogs, false)} />
    </>
  );
}

function Heading({ user }: { user: User }) {
  return (
    <span className={classes.who}>
      <Person name={nameOf(user)} picture={user.picture} size={36} />
      {nameOf(user)}
    </span>
  );
}

function Facts({ user }: { user: User }) {
  const session = useSession();
  const joined = uuidTime(user.id);
  return (
    <div className={classes.card}>
      <Fields
        fields={[
          { label: text.status, value: <StatusWord status={user.status} /> },
          {
            label: text.email,
            value: (
              <Copied label={text.email} value={user.email}>
                <Email address={user.email} />
              </Copied>
            ),
          },
          { label: text.role, value: user.group.role || '–' },
          {
            label: text.group,
            value: (
              <Anchor component={Link} size="sm" to={`/groups/${user.account}/${user.group.id}`}>
                {user.group.name}
              </Anchor>
            ),
          },
          {
            label: text.account,
            value: maySee(session, 'accounts') ? (
              <Anchor component={Link} size="sm" to={`/accounts/${user.account}`}>
                {user.account_name}
              </Anchor>
            ) : (
              user.account_name
            ),
          },
          {
            label: text.since,
            value: Number.isNaN(joined) ? '–' : <When at={new Date(joined).toISOString()} />,
          },
        ]}
      />
    </div>
  );
}
