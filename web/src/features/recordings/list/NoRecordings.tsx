import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { recordingsApi } from '../../../lib/api/recordings.ts';
import { recordings as text } from '../../../lib/messages/recordings.ts';
import { mayManageRecordings } from '../../../lib/recording-access.ts';
import { useSession } from '../../../lib/session.ts';
import { Empty } from '../../../ui/Empty.tsx';
import type { useRecordingFilters } from './useRecordingFilters.ts';

/** Why there are no sessions, and what to do. */
export function NoRecordings({ control }: { control: ReturnType<typeof useRecordingFilters> }) {
  const session = useSession();
  const { isAll, isFiltered, views, account } = control;
  const isKnown = !isFiltered && !isAll && views;
  const { currentData } = recordingsApi.useGetRecordingSettingsQuery({ account }, { skip: !isKnown });
  if (isFiltered) {
    const clear = (
      <Button variant="default" onClick={control.clear}>
        {text.clear}
      </Button>
    );
    return <Empty title={text.noMatch} text={text.noMatchText} action={clear} />;
  }
  if (isAll) return <Empty title={text.empty} text={text.emptyAll} />;
  if (!views || (currentData && currentData.policy !== 'off')) {
    return <Empty title={text.empty} text={views ? text.emptyOn : ''} />;
  }
  if (!mayManageRecordings(session, account)) return <Empty title={text.empty} text={text.emptyOffAsk} />;
  const turnOn = (
    <Button component={Link} to={`/recording/${account}`}>
      {text.turnOn}
    </Button>
  );
  return <Empty title={text.empty} text={text.emptyOff} action={turnOn} />;
}
