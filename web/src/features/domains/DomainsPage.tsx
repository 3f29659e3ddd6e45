import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { DOMAIN_LIMITS } from '@warren/rules/domains';
import { useParams } from 'react-router';
import { maySee } from '../../lib/access.ts';
import { domainsApi } from '../../lib/api/domains.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import type { AccountDomain } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { domains as text } from '../../lib/messages/domains.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { AddDomain } from './AddDomain.tsx';
import { DomainItem } from './DomainItem.tsx';

/** The e-mail domains of an account, with the records that prove them. */
export function DomainsPage() {
  const session = useSession();
  const { account_id: account = '' } = useParams();
  const name = useAccountName(account);
  const { currentData, error, refetch } = domainsApi.useListDomainsQuery(
    { id: account },
    { refetchOnMountOrArgChange: true },
  );
  const [confirm] = domainsApi.useConfirmDomainMutation();
  const [remove] = domainsApi.useRemoveDomainMutation();
  const adding = useDialog<'new'>();
  const confirming = useDialog<AccountDomain>();
  const removing = useDialog<AccountDomain>();
  const parent = maySee(session, 'accounts')
    ? { label: name, to: `/accounts/${account}` }
    : { label: messages.nav.users, to: `/users/${account}` };
  if (isRefusal(error)) return <Missing title={messages.missing.account} to={parent.to} label={parent.label} />;
  const list = currentData?.domains ?? [];
  const isFull = list.length >= DOMAIN_LIMITS.perAccount;
  const add = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={isFull}
      title={isFull ? text.full(DOMAIN_LIMITS.perAccount) : ''}
      onClick={() => adding.open('new')}
    >
      {text.add}
    </Button>
  );
  const mayConfirm = session.group?.role === 'SuperAdmin';
  return (
    <Page
      title={text.title}
      heading={text.heading(name)}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }, parent]} />}
      actions={list.length > 0 ? add : null}
    >
      <Text size="sm" c="dimmed" mb="lg" maw={720}>
        {text.lead}
      </Text>
      {error && !currentData ? <Failure title={text.failed} error={error} retry={refetch} /> : null}
      {currentData && list.length === 0 ? <Empty title={text.empty} text={text.emptyText} action={add} /> : null}
      {list.length > 0 ? (
        <Stack component="ul" gap="md" maw={820} m={0} p={0} aria-label={text.list} style={{ listStyle: 'none' }}>
          {list.map((domain) => (
            <DomainItem
              key={domain.id}
              account={account}
              domain={domain}
              onConfirm={mayConfirm ? confirming.open : undefined}
              onRemove={removing.open}
            />
          ))}
        </Stack>
      ) : null}
      <Dialog control={adding} title={text.add}>
        {() => <AddDomain account={account} onClose={adding.close} />}
      </Dialog>
      <Dialog control={confirming} title={text.confirmTitle}>
        {({ id, domain }) => (
          <Confirmation
            lead={text.confirmLead(domain)}
            confirm={text.confirmTitle}
            danger={false}
            act={() => confirm({ id: account, domain: id }).unwrap()}
            onDone={confirming.close}
            onCancel={confirming.close}
          />
        )}
      </Dialog>
      <Dialog control={removing} title={text.removeTitle}>
        {({ id, domain }) => (
          <Confirmation
            lead={text.removeLead(domain)}
            confirm={text.removeTitle}
            act={() => remove({ id: account, domain: id }).unwrap()}
            onDone={removing.close}
            onCancel={removing.close}
          />
        )}
      </Dialog>
    </Page>
  );
}
