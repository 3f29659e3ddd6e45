import { Tooltip } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';

interface TipProps {
  label: ReactNode;
  opened: boolean;
  target: RefObject<HTMLElement | null>;
}

/** The tooltip of `useTip`. */
export function Tip(props: TipProps) {
  return <Tooltip {...props} />;
}
