import type { Size } from '@warren/rules/recordings/frames';
import { useRef, useState } from 'react';
import { MarkScan, type FoundMarks } from '../../marks/scan.ts';
import type { Timeline } from '../timeline.ts';
import type { ReadIndex } from '../usePlayer.ts';

const NO_MARKS: FoundMarks = { marks: [], untilMs: 0, isDone: false };

/** Looks for the marks of a recording. `read` is to be called with its index, each time that has grown. @param size at the start of the session */
export function useMarks(size: Size): { marks: FoundMarks; read: (index: ReadIndex) => void } {
  const [marks, setMarks] = useState(NO_MARKS);
  const scan = useRef<{ of: Timeline; scan: MarkScan } | null>(null);
  const read = ({ source, timeline, signal }: ReadIndex) => {
    if (scan.current?.of !== timeline)
      scan.current = { of: timeline, scan: new MarkScan(source, timeline, size, setMarks) };
    void scan.current.scan.run(signal).catch(() => undefined);
  };
  return { marks, read };
}
