import { Skeleton, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { ALL, mayScheduleUpdates, maySee } from '../../lib/access.ts';
import type { UpdateWindowAnswer } from '../../lib/api/types.ts';
import { updatesApi } from '../../lib/api/updates.ts';
import { messages } from '../../lib/messages.ts';
import { updateWindow as text } from '../../lib/messages/update-window.ts';
import { openingText } from '../../lib/opening.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { UpdateWindowForm } from './UpdateWindowForm.tsx';

/** When rollouts may update the devices of one account. */
export function UpdateWindowPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const name = useAccountName(account);
  const { currentData, error, refetch } = updatesApi.useGetUpdateWindowQuery({ id: account });
  const steps = [
    { label: messages.nav.home, to: '/' },
    maySee(session, 'accounts')
      ? { label: name, to: `/accounts/${account}` }
      : { label: messages.nav.devices, to: `/devices/${account}` },
  ];
  return (
    <Page title={text.title} heading={text.heading(name)} trail={<Trail steps={steps} />}>
      <Stack gap="md" maw={520}>
        <Text>{text.lead}</Text>
        {error && !currentData ? (
          <Failure title={text.failed} error={error} retry={refetch} />
        ) : currentData ? (
          <>
            <Text role="status">{stateOf(currentData)}</Text>
            <UpdateWindowForm
              key={account}
              account={account}
              window={currentData.window}
              readOnly={!mayScheduleUpdates(session, account)}
            />
          </>
        ) : (
          <Skeleton height={180} />
        )}
      </Stack>
    </Page>
  );
}

function stateOf({ window, opens }: UpdateWindowAnswer): string {
  if (!window) return text.always;
  return opens ? text.closed(openingText(opens, window.time_zone)) : text.open;
}
