import { Loader, Tabs } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Recording } from '../../../lib/api/generated/recordings.ts';
import { player as text } from '../../../lib/messages/player.ts';
import { Failure } from '../../../ui/Failure.tsx';
import { Details } from '../Details.tsx';
import { momentsOf, type Moment } from '../marks/moments.ts';
import { momentIn } from '../times.ts';
import { Controls } from './Controls.tsx';
import { Moments } from './Moments.tsx';
import { PlayerHelp } from './PlayerHelp.tsx';
import { TimelineBar } from './TimelineBar.tsx';
import { useActs } from './useActs.ts';
import { useFind } from './useFind.ts';
import { usePlayer } from './usePlayer.ts';
import classes from './Player.module.css';
import side from './Side.module.css';

export type SideTab = 'details' | 'moments';

interface PlayerViewProps {
  recording: Recording;
  /** What is open beside the screen. */
  tab: SideTab | null;
  onTab: (tab: SideTab | null) => void;
  isBroken: boolean;
  onError: (error: unknown) => void;
}

/** Plays the recording of a terminal. */
export function PlayerView({ recording, tab, onTab, isBroken, onError }: PlayerViewProps) {
  const [query] = useSearchParams();
  const root = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [at] = useState(() => momentIn(query.get('t')));
  const control = usePlayer(recording, at);
  const { state, marks, player } = control;
  const find = useFind(recording.id, query.get('find') ?? '');
  const moments = useMemo(() => momentsOf(marks.marks, find.hits), [marks, find.hits]);
  const onFind = () => {
    onTab('moments');
    requestAnimationFrame(() => field.current?.focus());
  };
  const { act, isFull, isCopied } = useActs({
    id: recording.id,
    control,
    moments,
    root,
    onHelp: () => setHelpOpen(true),
    onFind,
  });
  const { status, error } = state;
  const isStill = status === 'paused' || status === 'ended' || status === 'waiting';
  useEffect(() => onError(error), [error, onError]);
  // What is searched for is marked on every screen that stands still.
  useEffect(() => {
    if (isStill) control.screen()?.find(find.text);
  }, [isStill, find.text, state.positionMs]);
  const seek = (moment: Moment) => void player()?.seek(moment.atMs, false);
  return (
    <div ref={root} className={classes.root}>
      <div className={classes.main}>
        <div className={classes.stage}>
          <div
            ref={control.host}
            className={classes.host}
            role="group"
            aria-label={text.screen(recording.device.name)}
          />
          {status === 'loading' ? (
            <Loader className={classes.loading} size={20} role="status" aria-label={text.loading} />
          ) : null}
          {status === 'failed' ? (
            <div className={classes.over}>
              <Failure title={text.failed} error={error} retry={() => player()?.play()} recover={!isBroken} />
            </div>
          ) : null}
        </div>
        <div className={classes.bottom}>
          <TimelineBar
            positionMs={state.positionMs}
            durationMs={state.durationMs}
            moments={moments}
            onSeek={(ms) => void player()?.seek(ms)}
          />
          <Controls
            state={state}
            isLive={recording.ended === null}
            isFull={isFull}
            isCopied={isCopied}
            act={act}
            onSpeed={(speed) => player()?.setSpeed(speed)}
            onSkipIdle={(skips) => player()?.skipIdle(skips)}
            onFollow={() => player()?.follow()}
          />
        </div>
      </div>
      {tab ? (
        <aside className={side.side} aria-label={text.panel}>
          <Tabs value={tab} onChange={(next) => onTab(next as SideTab)}>
            <Tabs.List grow>
              <Tabs.Tab value="moments">{text.moments}</Tabs.Tab>
              <Tabs.Tab value="details">{text.details}</Tabs.Tab>
            </Tabs.List>
          </Tabs>
          <div className={side.panel} role="tabpanel" aria-label={text[tab]}>
            {tab === 'details' ? (
              <Details recording={recording} isBroken={isBroken} />
            ) : (
              <Moments recording={recording} moments={moments} marks={marks} find={find} field={field} onSeek={seek} />
            )}
          </div>
        </aside>
      ) : null}
      <PlayerHelp opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}
