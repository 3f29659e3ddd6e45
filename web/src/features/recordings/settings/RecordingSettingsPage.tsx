import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Navigate, useParams } from 'react-router';
import { ALL } from '../../../lib/access.ts';
import { isRefusal } from '../../../lib/api/errors.ts';
import { recordingsApi } from '../../../lib/api/recordings.ts';
import { recordingSettings as text } from '../../../lib/messages/recording-settings.ts';
import { messages } from '../../../lib/messages.ts';
import { mayManageRecordings, mayViewRecordings } from '../../../lib/recording-access.ts';
import { useSession } from '../../../lib/session.ts';
import { useAccountName } from '../../../lib/useAccountName.ts';
import { Failure } from '../../../ui/Failure.tsx';
import { Missing } from '../../../ui/Missing.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Trail } from '../../../ui/Trail.tsx';
import { RecordingSettingsForm } from './RecordingSettingsForm.tsx';

/** Whether the sessions of an account are recorded, and how long recordings are kept. */
export function RecordingSettingsPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const name = useAccountName(account);
  const views = mayViewRecordings(session, account);
  const { currentData, error, refetch } = recordingsApi.useGetRecordingSettingsQuery({ account }, { skip: !views });
  const list = session.operator ? `/sessions?account=${account}` : '/sessions';
  if (!views) return <Navigate to="/" replace />;
  if (isRefusal(error)) return <Missing title={messages.missing.account} to={list} label={messages.nav.sessions} />;
  const steps = [
    { label: messages.nav.home, to: '/' },
    { label: messages.nav.sessions, to: list },
  ];
  return (
    <Page title={text.title} heading={text.heading(name)} trail={<Trail steps={steps} />}>
      <Stack gap="md" maw={640}>
        <Text>{text.privacy}</Text>
        {error && !currentData ? (
          <Failure title={text.failed} error={error} retry={refetch} />
        ) : currentData ? (
          <>
            {currentData.problem ? (
              <Alert color="yellow" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
                {text.problem(currentData.problem)}
              </Alert>
            ) : null}
            <RecordingSettingsForm
              key={`${account} ${currentData.version}`}
              account={account}
              settings={currentData}
              readOnly={!mayManageRecordings(session, account)}
            />
          </>
        ) : (
          <Skeleton height={480} radius="md" />
        )}
      </Stack>
    </Page>
  );
}
