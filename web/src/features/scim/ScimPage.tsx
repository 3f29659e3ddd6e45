import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { SCIM_LIMITS } from '@warren/rules/scim';
import { useParams } from 'react-router';
import { maySee } from '../../lib/access.ts';
import type { ScimToken } from '../../lib/api/types.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import { scimApi } from '../../lib/api/scim.ts';
import { messages } from '../../lib/messages.ts';
import { scim as text } from '../../lib/messages/scim.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { CommandBox } from '../../ui/CommandBox.tsx';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { scimColumns } from './columns.tsx';
import { GroupRules } from './group-rules/GroupRules.tsx';
import { NewScimToken } from './NewScimToken.tsx';

const keyOf = ({ id }: ScimToken) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** Provisioning of an account by its identity provider: the address of SCIM, its tokens, and the rules for groups of sign-ins. */
export function ScimPage() {
  const session = useSession();
  const { account_id: account = '' } = useParams();
  const name = useAccountName(account);
  const { currentData, error, refetch } = scimApi.useListScimTokensQuery(
    { id: account },
    { refetchOnMountOrArgChange: true },
  );
  const [revoke] = scimApi.useRevokeScimTokenMutation();
  const creating = useDialog<'new'>();
  const secret = useDialog<string>();
  const revoking = useDialog<ScimToken>();
  const parent = maySee(session, 'accounts')
    ? { label: name, to: `/accounts/${account}` }
    : { label: messages.nav.users, to: `/users/${account}` };
  if (isRefusal(error)) return <Missing title={messages.missing.account} to={parent.to} label={parent.label} />;
  const count = currentData?.tokens.length ?? 0;
  const isFull = count >= SCIM_LIMITS.tokens;
  const create = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={isFull}
      title={isFull ? text.full : ''}
      onClick={() => creating.open('new')}
    >
      {text.create}
    </Button>
  );
  return (
    <Page
      title={text.title}
      heading={text.heading(name)}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }, parent]} />}
      actions={count > 0 ? create : null}
    >
      <Stack gap="xs" mb="lg" maw={720}>
        <Text size="sm" c="dimmed">
          {text.lead}
        </Text>
        <Text size="sm" fw={500}>
          {text.address}
        </Text>
        <CommandBox command={`${location.origin}/scim/v2`} label={text.copyAddress} />
        <Text size="sm" c="dimmed">
          {text.addressHelp}
        </Text>
      </Stack>
      {error && !currentData ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        <DataTable
          label={text.list}
          columns={scimColumns(revoking.open)}
          rows={currentData?.tokens}
          rowKey={keyOf}
          state={ORDER}
          onSort={unsorted}
          empty={<Empty title={text.empty} text={text.emptyText} action={create} />}
        />
      )}
      <GroupRules account={account} />
      <Dialog control={creating} title={text.create}>
        {() => <NewScimToken account={account} onClose={creating.close} onCreated={secret.open} />}
      </Dialog>
      <Dialog control={secret} title={text.secret}>
        {(shown) => (
          <Stack>
            <Text>{text.secretLead}</Text>
            <CommandBox command={shown} label={text.secretCopy} />
            <Group justify="flex-end">
              <Button onClick={secret.close}>{text.secretDone}</Button>
            </Group>
          </Stack>
        )}
      </Dialog>
      <Dialog control={revoking} title={text.revokeTitle}>
        {(token) => (
          <Confirmation
            lead={text.revokeLead(token.name)}
            confirm={text.revokeTitle}
            act={() => revoke({ id: account, token: token.id }).unwrap()}
            onDone={revoking.close}
            onCancel={revoking.close}
          />
        )}
      </Dialog>
    </Page>
  );
}
