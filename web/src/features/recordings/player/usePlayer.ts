import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { Recording } from '../../../lib/api/generated/recordings.ts';
import { player as text } from '../../../lib/messages/player.ts';
import { MarkScan, type FoundMarks } from '../marks/scan.ts';
import { NOT_OPEN, type PlayerState } from './player-state.ts';
import { Player } from './player.ts';
import { XtermScreen } from './replay-screen.ts';
import { hubSource } from './source.ts';

/** How often new chunks of a live session are looked for. */
const EXTEND_MS = 3_000;
/** What a desktop sends says its size. */
const NO_SIZE = { cols: 80, rows: 24 };
const NO_MARKS: FoundMarks = { marks: [], untilMs: 0, isDone: false };

export interface PlayerControl {
  host: RefObject<HTMLDivElement | null>;
  state: PlayerState;
  marks: FoundMarks;
  player: () => Player | null;
  screen: () => XtermScreen | null;
}

/** Plays a recording, for the lifetime of the component. @param atMs where it begins; it plays at once unless that is later than the start */
export function usePlayer(recording: Recording, atMs: number): PlayerControl {
  const { id } = recording;
  const host = useRef<HTMLDivElement | null>(null);
  const player = useRef<Player | null>(null);
  const screen = useRef<XtermScreen | null>(null);
  const scan = useRef<(() => void) | null>(null);
  const scheme = useComputedColorScheme('light');
  const [state, setState] = useState(NOT_OPEN);
  const [marks, setMarks] = useState(NO_MARKS);
  const isLive = recording.ended === null;
  useEffect(() => {
    if (!host.current) return undefined;
    const end = new AbortController();
    const source = hubSource(id, end.signal);
    const size = recording.size ?? NO_SIZE;
    const drawn = new XtermScreen(host.current, scheme, text.screen(recording.device.name));
    const playing = new Player({ source, screen: drawn, size, isLive, onState: setState });
    const looking = new MarkScan(source, playing.timeline, size, setMarks);
    player.current = playing;
    screen.current = drawn;
    scan.current = () => void looking.run(end.signal).catch(() => undefined);
    // The letters are measured once, when the font is there.
    void fontLoaded()
      .then(() => (end.signal.aborted ? undefined : playing.open(atMs, atMs === 0)))
      .then(() => scan.current?.());
    return () => {
      end.abort();
      playing.dispose();
      drawn.dispose();
      player.current = screen.current = scan.current = null;
    };
  }, [id]);
  useEffect(() => screen.current?.useScheme(scheme), [scheme]);
  const wasLive = useRef(isLive);
  useEffect(() => {
    const extend = () =>
      void player.current
        ?.extend(isLive)
        .then(() => scan.current?.())
        .catch(() => undefined);
    if (wasLive.current && !isLive) extend();
    wasLive.current = isLive;
    if (!isLive) return undefined;
    const timer = setInterval(extend, EXTEND_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  return { host, state, marks, player: () => player.current, screen: () => screen.current };
}

async function fontLoaded(): Promise<void> {
  await document.fonts?.load("14px 'JetBrains Mono Variable'").catch(() => undefined);
}
