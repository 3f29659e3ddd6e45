import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { Recording } from '../../../lib/api/types.ts';
import { NOT_OPEN, type PlayerState } from './player-state.ts';
import { Player } from './player.ts';
import { hubSource, type RecordingSource } from './source.ts';
import type { Stage } from './stage.ts';
import type { Timeline } from './timeline.ts';

/** How often new chunks of a live session are looked for. */
const EXTEND_MS = 3_000;

/** The stage of a kind of recordings in the page. */
export interface MountedStage {
  stage: Stage;
  /** Resolves once it can be drawn on. */
  ready: Promise<void>;
  dispose: () => void;
}

/** What was read of a recording, until the signal. */
export interface ReadIndex {
  source: RecordingSource;
  timeline: Timeline;
  signal: AbortSignal;
}

interface PlayerSetup<Mounted extends MountedStage> {
  recording: Recording;
  /** Where it begins; it plays at once unless that is later than the start. */
  atMs: number;
  mount: (host: HTMLElement) => Mounted;
  /** The index was read, or chunks were added to it. */
  onIndex?: (read: ReadIndex) => void;
}

export interface PlayerControl<Mounted extends MountedStage> {
  host: RefObject<HTMLDivElement | null>;
  state: PlayerState;
  player: () => Player | null;
  mounted: () => Mounted | null;
}

/** Plays a recording, for the lifetime of the component. */
export function usePlayer<Mounted extends MountedStage>(setup: PlayerSetup<Mounted>): PlayerControl<Mounted> {
  const { recording, atMs } = setup;
  const { id } = recording;
  const host = useRef<HTMLDivElement | null>(null);
  const player = useRef<Player | null>(null);
  const mounted = useRef<Mounted | null>(null);
  const indexed = useRef<(() => void) | null>(null);
  const latest = useRef(setup);
  latest.current = setup;
  const [state, setState] = useState(NOT_OPEN);
  const isLive = recording.ended === null;
  useEffect(() => {
    if (!host.current) return undefined;
    const end = new AbortController();
    const source = hubSource(id, end.signal);
    const on = latest.current.mount(host.current);
    const playing = new Player({ source, stage: on.stage, isLive, onState: setState });
    player.current = playing;
    mounted.current = on;
    indexed.current = () => latest.current.onIndex?.({ source, timeline: playing.timeline, signal: end.signal });
    void on.ready
      .then(() => (end.signal.aborted ? undefined : playing.open(atMs, atMs === 0)))
      .then(() => indexed.current?.());
    return () => {
      end.abort();
      playing.dispose();
      on.dispose();
      player.current = mounted.current = indexed.current = null;
    };
  }, [id]);
  const wasLive = useRef(isLive);
  useEffect(() => {
    const extend = () =>
      void player.current
        ?.extend(isLive)
        .then(() => indexed.current?.())
        .catch(() => undefined);
    if (wasLive.current && !isLive) extend();
    wasLive.current = isLive;
    if (!isLive) return undefined;
    const timer = setInterval(extend, EXTEND_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  return { host, state, player: () => player.current, mounted: () => mounted.current };
}
