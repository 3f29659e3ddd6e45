import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { ALL, maySee } from '../../../lib/access.ts';
import { isRefusal } from '../../../lib/api/errors.ts';
import type { ServiceAccount } from '../../../lib/api/types.ts';
import { tokensApi } from '../../../lib/api/tokens.ts';
import { mayManageGrants } from '../../../lib/grant-access.ts';
import { messages } from '../../../lib/messages.ts';
import { serviceAccounts as text } from '../../../lib/messages/service-accounts.ts';
import { tokens } from '../../../lib/messages/tokens.ts';
import { useSession } from '../../../lib/session.ts';
import { useAccountName } from '../../../lib/useAccountName.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { Missing } from '../../../ui/Missing.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Trail } from '../../../ui/Trail.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { NewToken } from '../NewToken.tsx';
import { TokenSecret } from '../TokenSecret.tsx';
import { serviceAccountColumns } from './columns.tsx';
import { DeleteServiceAccount } from './DeleteServiceAccount.tsx';
import { ServiceAccountForm } from './ServiceAccountForm.tsx';

const keyOf = ({ id }: ServiceAccount) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** The service accounts of an account. */
export function ServiceAccountsPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const name = useAccountName(account);
  const query = tokensApi.useListServiceAccountsQuery({ id: account });
  const { currentData, error, refetch } = query;
  const form = useDialog<ServiceAccount | 'new'>();
  const removal = useDialog<ServiceAccount>();
  const creating = useDialog<ServiceAccount>();
  const secret = useDialog<string>();
  const manages = mayManageGrants(session, account);
  const parent = maySee(session, 'accounts')
    ? { label: name, to: `/accounts/${account}` }
    : { label: messages.nav.users, to: `/users/${account}` };
  if (isRefusal(error)) return <Missing title={messages.missing.account} to={parent.to} label={parent.label} />;
  const create = manages ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => form.open('new')}>
      {text.create}
    </Button>
  ) : null;
  const actions = manages ? { edit: form.open, newToken: creating.open, remove: removal.open } : null;
  const rows = currentData?.service_accounts;
  return (
    <Page
      title={text.title}
      heading={text.heading(name)}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }, parent]} />}
      actions={rows && rows.length > 0 ? create : null}
    >
      {error && !currentData ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        <Stack gap="md">
          <Text c="dimmed" maw="72ch">
            {text.lead}
          </Text>
          <DataTable
            label={text.title}
            columns={serviceAccountColumns(account, actions)}
            rows={rows}
            rowKey={keyOf}
            state={ORDER}
            onSort={unsorted}
            empty={<Empty title={text.empty} text={text.emptyText} action={create} />}
          />
        </Stack>
      )}
      <Dialog control={form} title={form.subject === 'new' ? text.create : text.edit}>
        {(one) => (
          <ServiceAccountForm
            account={account}
            onClose={form.close}
            {...(one === 'new' ? {} : { serviceAccount: one })}
          />
        )}
      </Dialog>
      <Dialog control={creating} title={tokens.create}>
        {(owner) => <NewToken account={account} owner={owner} onClose={creating.close} onCreated={secret.open} />}
      </Dialog>
      <Dialog control={secret} title={tokens.secret}>
        {(shown) => <TokenSecret secret={shown} onClose={secret.close} />}
      </Dialog>
      <Dialog control={removal} title={text.remove} focusTitle>
        {(one) => <DeleteServiceAccount account={account} serviceAccount={one} onClose={removal.close} />}
      </Dialog>
    </Page>
  );
}
