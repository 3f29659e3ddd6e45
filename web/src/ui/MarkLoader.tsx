import type { ComponentProps } from 'react';
import { Mark } from './Mark.tsx';
import classes from './MarkLoader.module.css';

/** The loading mark: the way out draws itself. Sized by Mantine's loader variables. */
export function MarkLoader({ ref, ...props }: ComponentProps<'svg'>) {
  return <Mark {...props} ref={ref} className={`${classes.loader} ${props.className ?? ''}`} />;
}
