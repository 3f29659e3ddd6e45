import { Loader } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Recording } from '../../../lib/api/types.ts';
import { player as text } from '../../../lib/messages/player.ts';
import { Failure } from '../../../ui/Failure.tsx';
import type { Moment } from '../marks/moments.ts';
import { Controls } from './Controls.tsx';
import { PlayerHelp } from './PlayerHelp.tsx';
import type { PlayerState } from './player-state.ts';
import { TimelineBar } from './TimelineBar.tsx';
import { useActs } from './useActs.ts';
import type { MountedStage, PlayerControl } from './usePlayer.ts';
import classes from './Player.module.css';
import side from './Side.module.css';

export type SideTab = 'details' | 'moments';

/** What the page of a recording gives its player. */
export interface PlayerProps {
  recording: Recording;
  /** What is open beside the screen. */
  tab: SideTab | null;
  onTab: (tab: SideTab | null) => void;
  isBroken: boolean;
  onError: (error: unknown) => void;
}

interface PlayerFrameProps extends Pick<PlayerProps, 'recording' | 'isBroken' | 'onError'> {
  control: PlayerControl<MountedStage>;
  moments: readonly Moment[];
  /** Undefined: nothing can be searched for. */
  onFind?: () => void;
  /** Over the screen. */
  notice?: ReactNode;
  /** Beside the screen; null: nothing. */
  panel: ReactNode;
}

/** The player of all kinds of recordings, around the stage of one. */
export function PlayerFrame({ recording, control, moments, onFind, notice, panel, ...rest }: PlayerFrameProps) {
  const { isBroken, onError } = rest;
  const { state, player } = control;
  const root = useRef<HTMLDivElement>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const onHelp = () => setHelpOpen(true);
  const { act, isFull, isCopied } = useActs({ id: recording.id, player, moments, root, onHelp, onFind });
  const { status, error } = state;
  const isTerminal = recording.kind === 'terminal';
  useEffect(() => onError(error), [error, onError]);
  return (
    <div ref={root} className={classes.root}>
      <div className={classes.main}>
        <div className={classes.stage} data-kind={recording.kind}>
          <div
            ref={control.host}
            className={classes.host}
            role={isTerminal ? 'group' : 'img'}
            aria-label={text.screen(recording.device.name)}
          />
          {status === 'loading' ? <Loading state={state} /> : null}
          {status === 'failed' ? (
            <div className={classes.over}>
              <Failure title={text.failed} error={error} retry={() => player()?.play()} recover={!isBroken} />
            </div>
          ) : (
            notice
          )}
        </div>
        <div className={classes.bottom}>
          <TimelineBar
            positionMs={state.positionMs}
            durationMs={state.durationMs}
            moments={moments}
            // Without snapshots each step back draws from the first byte.
            follows={isTerminal}
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
      {panel ? (
        <aside className={side.side} aria-label={text.panels[recording.kind]}>
          {panel}
        </aside>
      ) : null}
      <PlayerHelp isSearchable={onFind !== undefined} opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

/** Something is read; of a long way, how much of it is drawn. */
function Loading({ state: { progress } }: { state: PlayerState }) {
  return (
    <div className={classes.loading} role="status" aria-label={text.loading}>
      {progress === null ? null : <span className={classes.progress}>{text.drawn(Math.floor(progress * 100))}</span>}
      <Loader size={20} aria-hidden />
    </div>
  );
}
