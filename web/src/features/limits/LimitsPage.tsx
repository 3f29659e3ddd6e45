import { Skeleton, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { ALL, mayManageAccounts, maySee } from '../../lib/access.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import type { Quota } from '../../lib/api/types.ts';
import { quotasApi } from '../../lib/api/quotas.ts';
import { limits as text } from '../../lib/messages/limits.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { QuotaRow } from './QuotaRow.tsx';
import classes from './LimitsPage.module.css';

/** The use of sessions, sockets and calls changes without an event. */
const EVERY_MS = 15_000;

/** The limits of an account, and their use. */
export function LimitsPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const name = useAccountName(account);
  const query = quotasApi.useGetQuotasQuery(
    { id: account },
    { pollingInterval: EVERY_MS, skipPollingIfUnfocused: true },
  );
  const { currentData, error, refetch } = query;
  const directory = maySee(session, 'accounts');
  const parent = directory
    ? { label: name, to: `/accounts/${account}` }
    : { label: messages.nav.devices, to: `/devices/${account}` };
  if (isRefusal(error)) return <Missing title={messages.missing.account} to={parent.to} label={parent.label} />;
  return (
    <Page
      title={text.title}
      heading={text.heading(name)}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }, parent]} />}
    >
      <Stack gap="md" maw={720}>
        <Text>{text.lead}</Text>
        {error && !currentData ? (
          <Failure title={text.failed} error={error} retry={refetch} />
        ) : currentData ? (
          <Quotas account={account} quotas={currentData.result.quotas} edits={mayManageAccounts(session)} />
        ) : (
          <Skeleton height={420} radius="md" />
        )}
      </Stack>
    </Page>
  );
}

function Quotas({ account, quotas, edits }: { account: string; quotas: Quota[]; edits: boolean }) {
  if (quotas.length === 0) return <Text role="status">{text.none}</Text>;
  return (
    <>
      <ul className={classes.list}>
        {quotas.map((quota) => (
          <QuotaRow key={quota.name} account={account} quota={quota} edits={edits} />
        ))}
      </ul>
      {edits ? null : <Text c="dimmed">{text.ask}</Text>}
    </>
  );
}
