import { Suspense, useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { part } from './part.tsx';

const Tip = part(async () => (await import('./Tip.tsx')).Tip);

/** The same as of Mantine's tooltips in `theme.ts`. */
const DELAY_MS = 300;

/** Properties that give an element a tooltip. */
interface Tipped<Target extends HTMLElement> {
  target: {
    ref: RefObject<Target | null>;
    onPointerEnter: () => void;
    onPointerLeave: () => void;
  };
  /** The tooltip, to be rendered anywhere in the element. */
  tip: ReactNode;
}

/** Provides a tooltip whose script loads on hover: Home has many, and few are used. */
export function useTip<Target extends HTMLElement>(label: ReactNode): Tipped<Target> {
  const ref = useRef<Target>(null);
  const [over, setOver] = useState<boolean>();
  const delay = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(delay.current), []);
  const enter = () => (delay.current = setTimeout(() => setOver(true), DELAY_MS));
  const leave = () => {
    clearTimeout(delay.current);
    setOver((now) => now && false);
  };
  return {
    target: { ref, onPointerEnter: enter, onPointerLeave: leave },
    tip:
      over === undefined || !label ? null : (
        <Suspense>
          <Tip label={label} opened={over} target={ref} />
        </Suspense>
      ),
  };
}
