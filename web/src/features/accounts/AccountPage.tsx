import { Button, Skeleton } from '@mantine/core';
import { IconServer2, IconUsers, IconUsersGroup } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from 'react-router';
import { mayManageAccounts } from '../../lib/access.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { Account } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { accountPages } from '../../ui/accountPages.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Fields } from '../../ui/Fields.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Page } from '../../ui/Page.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { StatusWord } from '../../ui/StatusWord.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { When } from '../../ui/When.tsx';
import { AccountDialogs } from './AccountDialogs.tsx';
import { Owner } from './columns.tsx';
import { useAccountActions } from './useAccountActions.ts';
import { useAccountDialogs } from './useAccountDialogs.ts';
import type { AccountDialogControls } from './useAccountDialogs.ts';
import classes from './AccountPage.module.css';

const text = messages.accounts;

/** One account: its owner, and links to its contents. */
export function AccountPage() {
  const session = useSession();
  const navigate = useNavigate();
  const { id = '' } = useParams();
  const { currentData, error, refetch } = peopleApi.useGetAccountQuery({ id });
  const account = currentData?.result;
  const dialogs = useAccountDialogs();
  const name = account?.name ?? text.one;
  const steps = [
    { label: messages.nav.home, to: '/' },
    { label: messages.nav.accounts, to: '/accounts' },
  ];
  if (isRefusal(error)) {
    return <Missing title={messages.missing.account} to="/accounts" label={messages.missing.accounts} />;
  }
  const manages = account && mayManageAccounts(session);
  return (
    <Page
      title={name}
      trail={<Trail steps={steps} />}
      actions={manages ? <Actions account={account} dialogs={dialogs} /> : null}
    >
      {error && !account ? (
        <Failure title={text.oneFailed} error={error} retry={refetch} />
      ) : account ? (
        <Facts account={account} />
      ) : (
        <Skeleton height={172} maw={640} radius="md" />
      )}
      {account ? <Ways account={account} /> : null}
      <AccountDialogs dialogs={dialogs} onRemoved={() => void navigate('/accounts', { replace: true })} />
    </Page>
  );
}

function Actions({ account, dialogs }: { account: Account; dialogs: AccountDialogControls }) {
  return <RowMenu name={account.name} actions={useAccountActions(account, dialogs)} />;
}

function Facts({ account }: { account: Account }) {
  return (
    <div className={classes.card}>
      <Fields
        fields={[
          { label: text.status, value: <StatusWord status={account.status} /> },
          { label: text.owner, value: <Owner owner={account.owner} /> },
          { label: text.since, value: <When at={account.created} /> },
        ]}
      />
    </div>
  );
}

function Ways({ account }: { account: Account }) {
  const session = useSession();
  const ways = [
    { label: messages.nav.devices, to: `/devices/${account.id}`, icon: IconServer2 },
    { label: messages.nav.users, to: `/users/${account.id}`, icon: IconUsers },
    { label: messages.nav.groups, to: `/groups/${account.id}`, icon: IconUsersGroup },
    ...accountPages(session, account.id),
  ];
  return (
    <nav className={classes.links} aria-label={text.look}>
      {ways.map((way) => (
        <Button
          key={way.to}
          component={Link}
          to={way.to}
          variant="default"
          leftSection={<way.icon size={16} aria-hidden />}
        >
          {way.label}
        </Button>
      ))}
    </nav>
  );
}
