import { useClipboard } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import { momentBeside, type Moment } from '../marks/moments.ts';
import { momentPath } from '../times.ts';
import type { PlayerKey } from './player-keys.ts';
import type { Player } from './player.ts';
import { usePlayerKeys } from './usePlayerKeys.ts';

const SKIP_MS = 5_000;
const FAR_MS = 10_000;
const COPIED_MS = 2_000;

interface ActsOptions {
  id: string;
  player: () => Player | null;
  moments: readonly Moment[];
  root: RefObject<HTMLElement | null>;
  onHelp: () => void;
  /** Undefined: nothing can be searched for. */
  onFind: (() => void) | undefined;
}

/** What keys and buttons of the player do. */
export function useActs({ id, player: current, moments, root, onHelp, onFind }: ActsOptions) {
  const { copied, copy } = useClipboard({ timeout: COPIED_MS });
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const change = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', change);
    return () => document.removeEventListener('fullscreenchange', change);
  }, []);
  const act = (key: PlayerKey) => {
    const player = current();
    if (!player) return;
    const { positionMs } = player.state;
    const goTo = (moment: Moment | undefined) => moment && void player.seek(moment.atMs);
    const acts: Record<PlayerKey, () => unknown> = {
      toggle: () => player.toggle(),
      back: () => player.skip(-SKIP_MS),
      forward: () => player.skip(SKIP_MS),
      'far-back': () => player.skip(-FAR_MS),
      'far-forward': () => player.skip(FAR_MS),
      slower: () => player.changeSpeed(-1),
      faster: () => player.changeSpeed(1),
      'event-back': () => player.step(-1),
      'event-forward': () => player.step(1),
      'mark-back': () => goTo(momentBeside(moments, positionMs, -1)),
      'mark-forward': () => goTo(momentBeside(moments, positionMs, 1)),
      start: () => player.seek(0),
      end: () => player.seek(player.timeline.durationMs),
      full: () => toggleFull(root.current),
      link: () => copy(new URL(momentPath(id, positionMs), window.location.href).href),
      find: () => onFind?.(),
      help: onHelp,
    };
    acts[key]();
  };
  usePlayerKeys(act);
  return { act, isFull, isCopied: copied };
}

function toggleFull(root: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void root?.requestFullscreen().catch(() => undefined);
}
