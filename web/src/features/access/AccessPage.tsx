import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconShieldPlus } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { ALL, maySee } from '../../lib/access.ts';
import { accessApi } from '../../lib/api/access.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import type { Grant } from '../../lib/api/types.ts';
import { mayManageGrants } from '../../lib/grant-access.ts';
import { access as text } from '../../lib/messages/access.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { AccessMode } from './AccessMode.tsx';
import { grantColumns } from './columns.tsx';
import { GrantForm } from './GrantForm.tsx';
import { RulesPanel } from './requests/RulesPanel.tsx';
import { WithdrawGrant } from './WithdrawGrant.tsx';

const keyOf = ({ id }: Grant) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** The access mode of an account, and its grants. */
export function AccessPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const name = useAccountName(account);
  const { currentData: access, error, refetch } = accessApi.useGetAccessQuery({ id: account });
  const form = useDialog<Grant | 'new'>();
  const removal = useDialog<Grant>();
  const manages = mayManageGrants(session, account);
  const parent = maySee(session, 'accounts')
    ? { label: name, to: `/accounts/${account}` }
    : { label: messages.nav.devices, to: `/devices/${account}` };
  if (isRefusal(error)) return <Missing title={messages.missing.account} to={parent.to} label={parent.label} />;
  const create = manages ? (
    <Button leftSection={<IconShieldPlus size={16} aria-hidden />} onClick={() => form.open('new')}>
      {text.create}
    </Button>
  ) : null;
  return (
    <Page
      title={text.title}
      heading={text.heading(name)}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }, parent]} />}
      actions={create}
    >
      {error && !access ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        <Stack gap="md">
          {access ? <AccessMode account={account} access={access} manages={manages} /> : <Skeleton height={96} />}
          <RulesPanel account={account} manages={manages} />
          <Title order={2} size="h4">
            {text.grants}
          </Title>
          <Text c="dimmed" maw="72ch">
            {text.lead}
          </Text>
          <Grants
            account={account}
            onEdit={manages ? form.open : undefined}
            onRemove={manages ? removal.open : undefined}
          />
        </Stack>
      )}
      <Dialog control={form} title={form.subject === 'new' ? text.create : text.edit}>
        {(grant) => <GrantForm account={account} onClose={form.close} {...(grant === 'new' ? {} : { grant })} />}
      </Dialog>
      <Dialog control={removal} title={text.remove} focusTitle>
        {(grant) => <WithdrawGrant account={account} grant={grant} onClose={removal.close} />}
      </Dialog>
    </Page>
  );
}

interface GrantsProps {
  account: string;
  onEdit: ((grant: Grant) => void) | undefined;
  onRemove: ((grant: Grant) => void) | undefined;
}

function Grants({ account, onEdit, onRemove }: GrantsProps) {
  const { currentData, error, refetch } = accessApi.useListGrantsQuery({ id: account });
  if (error && !currentData) return <Failure title={text.failed} error={error} retry={refetch} />;
  return (
    <DataTable
      label={text.grants}
      columns={grantColumns(account, onEdit && onRemove ? { edit: onEdit, remove: onRemove } : null)}
      rows={currentData?.grants}
      rowKey={keyOf}
      state={ORDER}
      onSort={unsorted}
      empty={<Empty title={text.none} text={text.noneText} />}
    />
  );
}
