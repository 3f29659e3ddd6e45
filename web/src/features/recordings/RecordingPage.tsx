import { ActionIcon, Loader, Text, Tooltip } from '@mantine/core';
import { useDocumentTitle, useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconLayoutSidebarRight } from '@tabler/icons-react';
import { Suspense, useCallback, useState } from 'react';
import { Link, useParams } from 'react-router';
import { isRefusal } from '../../lib/api/errors.ts';
import type { Recording } from '../../lib/api/types.ts';
import { recordingsApi } from '../../lib/api/recordings.ts';
import { time } from '../../lib/format.ts';
import { player } from '../../lib/messages/player.ts';
import { recordings as text } from '../../lib/messages/recordings.ts';
import { messages } from '../../lib/messages.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { part } from '../../ui/part.tsx';
import { Details } from './Details.tsx';
import { Integrity } from './Integrity.tsx';
import { KindIcon } from './KindIcon.tsx';
import { Manage } from './manage/Manage.tsx';
import { personOf } from './person.ts';
import type { SideTab } from './player/PlayerFrame.tsx';
import { RecordingMarks } from './RecordingState.tsx';
import classes from './RecordingPage.module.css';

const PLAYERS = {
  terminal: part(async () => (await import('./player/terminal/TerminalPlayer.tsx')).TerminalPlayer),
  desktop: part(async () => (await import('./player/desktop/DesktopPlayer.tsx')).DesktopPlayer),
};
const FIRST_TAB = { terminal: 'moments', desktop: 'details' } as const;

const LIST = '/sessions';
/** Whether a session is live, and what is recorded of it. */
const EVERY_MS = 5_000;

/** One recorded session: the player, what is known of it, and what can be done with it. */
export function RecordingPage() {
  const { id = '' } = useParams();
  const [isLive, setLive] = useState(false);
  const { currentData, error, refetch } = recordingsApi.useGetRecordingQuery(
    { id },
    { pollingInterval: isLive ? EVERY_MS : 0 },
  );
  const recording = currentData?.recording;
  const live = recording?.ended === null;
  if (live !== isLive) setLive(live);
  // An id such as `settings` is the address of something else.
  if (isRefusal(error) || (currentData && !recording))
    return <Missing title={text.missing} to={LIST} label={text.all} />;
  if (recording) return <One key={id} recording={recording} />;
  if (error) return <Failure title={text.oneFailed} error={error} retry={refetch} />;
  return <Loader className={classes.loading} size={36} role="status" aria-label={messages.common.loading} />;
}

function One({ recording }: { recording: Recording }) {
  useDocumentTitle(`${text.titleOf(recording.device.name)} · Warren`);
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const first = FIRST_TAB[recording.kind];
  const [tab, setTab] = useState<SideTab | null>(isWide ? first : null);
  const [isBroken, setBroken] = useState(false);
  const onError = useCallback((error: unknown) => {
    if (isChanged(error)) setBroken(true);
  }, []);
  const isPlayed = recording.playable && recording.chunks > 0;
  const Player = PLAYERS[recording.kind];
  const panel = player.panels[recording.kind];
  return (
    <div className={classes.root}>
      <div className={classes.bar}>
        <Tooltip label={text.all}>
          <ActionIcon component={Link} to={LIST} variant="subtle" color="gray" aria-label={text.all}>
            <IconArrowLeft size={18} />
          </ActionIcon>
        </Tooltip>
        <KindIcon kind={recording.kind} />
        <h1 className={classes.name}>{recording.device.name}</h1>
        <div className={classes.facts}>
          <Text className={classes.about}>
            {personOf(recording.person.email)} · {time(recording.started)}
          </Text>
          <Integrity recording={recording} isBroken={isBroken} />
          <RecordingMarks recording={recording} />
        </div>
        <div className={classes.right}>
          <Manage recording={recording} />
          {isPlayed ? (
            <Tooltip label={panel}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={panel}
                aria-pressed={tab !== null}
                onClick={() => setTab(tab === null ? first : null)}
              >
                <IconLayoutSidebarRight size={18} />
              </ActionIcon>
            </Tooltip>
          ) : null}
        </div>
      </div>
      {isPlayed ? (
        <Suspense fallback={<Loader className={classes.loading} size={36} role="status" aria-label={player.loading} />}>
          <Player recording={recording} tab={tab} onTab={setTab} isBroken={isBroken} onError={onError} />
        </Suspense>
      ) : (
        <div className={classes.entry}>
          <Empty title={recording.playable ? player.nothing : player.notYours} />
          <Details recording={recording} isBroken={isBroken} />
        </div>
      )}
    </div>
  );
}

/** Whether the hub found content that is gone, or that was changed in its store. */
const isChanged = (error: unknown) => {
  const { data } = (error ?? {}) as { data?: { code?: unknown } };
  return data?.code === 'data_loss';
};
