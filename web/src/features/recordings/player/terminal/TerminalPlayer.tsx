import { Tabs, useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { player as text } from '../../../../lib/messages/player.ts';
import { Details } from '../../Details.tsx';
import { momentsOf, type Moment } from '../../marks/moments.ts';
import { momentIn } from '../../times.ts';
import { Moments } from '../Moments.tsx';
import { PlayerFrame, type PlayerProps, type SideTab } from '../PlayerFrame.tsx';
import { useFind } from '../useFind.ts';
import { usePlayer } from '../usePlayer.ts';
import { XtermScreen } from './replay-screen.ts';
import { TerminalStage } from './terminal-stage.ts';
import { useMarks } from './useMarks.ts';
import side from '../Side.module.css';

/** Each terminal has a size. */
const USUAL_SIZE = { cols: 80, rows: 24 };

/** Plays the recording of a terminal. */
export function TerminalPlayer({ recording, tab, onTab, isBroken, onError }: PlayerProps) {
  const [query] = useSearchParams();
  const field = useRef<HTMLInputElement>(null);
  const scheme = useComputedColorScheme('light');
  const [atMs] = useState(() => momentIn(query.get('t')));
  const size = recording.size ?? USUAL_SIZE;
  const { marks, read } = useMarks(size);
  const mount = (host: HTMLElement) => {
    const screen = new XtermScreen(host, scheme, text.screen(recording.device.name));
    // The letters are measured once, when the font is there.
    return {
      stage: new TerminalStage(screen, size),
      screen,
      ready: fontLoaded(),
      dispose: () => screen.dispose(),
    };
  };
  const control = usePlayer({ recording, atMs, mount, onIndex: read });
  const { state, player, mounted } = control;
  const find = useFind(recording.id, query.get('find') ?? '');
  const moments = useMemo(() => momentsOf(marks.marks, find.hits), [marks, find.hits]);
  const onFind = () => {
    onTab('moments');
    requestAnimationFrame(() => field.current?.focus());
  };
  useEffect(() => mounted()?.screen.useScheme(scheme), [scheme]);
  const isStill = state.status === 'paused' || state.status === 'ended' || state.status === 'waiting';
  // What is searched for is marked on every screen that stands still.
  useEffect(() => {
    if (isStill) mounted()?.screen.find(find.text);
  }, [isStill, find.text, state.positionMs]);
  const seek = (moment: Moment) => void player()?.seek(moment.atMs, false);
  const panel = tab ? (
    <>
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
    </>
  ) : null;
  return (
    <PlayerFrame
      recording={recording}
      control={control}
      moments={moments}
      onFind={onFind}
      isBroken={isBroken}
      onError={onError}
      panel={panel}
    />
  );
}

async function fontLoaded(): Promise<void> {
  await document.fonts?.load("14px 'JetBrains Mono Variable'").catch(() => undefined);
}
