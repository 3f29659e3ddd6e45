import { Skeleton, Stack } from '@mantine/core';
import { api } from '../../lib/api/api.ts';
import { messages } from '../../lib/messages.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Fields } from '../../ui/Fields.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { workspaceFields } from './workspace.ts';

const text = messages.settings;

/** The installation's settings, read-only. */
export function SettingsPage() {
  const { data, error, refetch } = api.useGetWorkspaceQuery();
  return (
    <Page title={text.title} trail={<Trail steps={[{ label: messages.nav.home, to: '/' }]} />}>
      <Stack gap="lg" maw={560}>
        <Wordmark size={40} />
        {error && !data ? (
          <Failure title={text.failed} error={error} retry={refetch} />
        ) : data ? (
          <Fields fields={workspaceFields(data)} />
        ) : (
          <Skeleton height={180} />
        )}
      </Stack>
    </Page>
  );
}
