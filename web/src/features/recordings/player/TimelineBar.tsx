import { useMemo, useRef, useState } from 'react';
import type { PointerEvent } from 'react';
import { player as text } from '../../../lib/messages/player.ts';
import { onTimeline, type Moment } from '../marks/moments.ts';
import { momentText } from '../times.ts';
import classes from './TimelineBar.module.css';

/** How often the screen follows the handle. */
const SEEK_MS = 200;

interface TimelineBarProps {
  positionMs: number;
  durationMs: number;
  moments: readonly Moment[];
  /** The screen follows while the handle is dragged. */
  follows: boolean;
  onSeek: (ms: number) => void;
}

/** Where the player is, with marks; a click or a drag moves it. */
export function TimelineBar({ positionMs, durationMs, moments, follows, onSeek }: TimelineBarProps) {
  const track = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const sought = useRef(0);
  const marks = useMemo(() => onTimeline(moments, durationMs), [moments, durationMs]);
  const share = (ms: number) => `${durationMs > 0 ? Math.min(100, (ms / durationMs) * 100) : 0}%`;
  const timeAt = ({ clientX }: PointerEvent) => {
    const { left, width } = track.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return Math.max(0, Math.min(1, (clientX - left) / Math.max(1, width))) * durationMs;
  };
  const drag = (event: PointerEvent) => {
    setDragged(timeAt(event));
    if (!follows || event.timeStamp - sought.current < SEEK_MS) return;
    sought.current = event.timeStamp;
    onSeek(timeAt(event));
  };
  const drop = (event: PointerEvent) => {
    if (dragged === null) return;
    setDragged(null);
    onSeek(timeAt(event));
  };
  const shown = dragged ?? positionMs;
  const pointed = dragged ?? hovered;
  return (
    <div
      className={classes.root}
      role="slider"
      tabIndex={0}
      aria-label={text.timeline}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1_000)}
      aria-valuenow={Math.round(shown / 1_000)}
      aria-valuetext={text.position(momentText(shown), momentText(durationMs))}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        sought.current = 0;
        drag(event);
      }}
      onPointerMove={(event) => (dragged === null ? setHovered(timeAt(event)) : drag(event))}
      onPointerUp={drop}
      onPointerCancel={() => setDragged(null)}
      onPointerLeave={() => setHovered(null)}
    >
      <div ref={track} className={classes.track}>
        <div className={classes.passed} style={{ width: share(shown) }} />
        {marks.map(({ key, kind, atMs }) => (
          <span key={key} className={classes.mark} data-kind={kind} style={{ left: share(atMs) }} />
        ))}
        <div className={classes.handle} style={{ left: share(shown) }} />
        {pointed === null ? null : (
          <span className={classes.pointed} style={{ left: share(pointed) }} aria-hidden>
            {momentText(pointed)}
          </span>
        )}
      </div>
    </div>
  );
}
