import { number } from '../numbers.ts';

/** Texts of the count of open alerts, which every page shows. */
export const bell = {
  none: 'No open alerts',
  open: (count: number) => (count === 1 ? '1 open alert' : `${number(count)} open alerts`),
  most: '99+',
} as const;
