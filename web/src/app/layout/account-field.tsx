import { IconBuilding } from '@tabler/icons-react';
import { messages } from '../../lib/messages.ts';
import classes from './AccountSelect.module.css';

/** Looks of the account's field, the same while closed and once its list is loaded. */
export const ACCOUNT_FIELD = {
  'aria-label': messages.client.label,
  w: { base: 152, xs: 200 },
  size: 'sm',
  classNames: { wrapper: classes.field, input: classes.input },
  leftSection: <IconBuilding size={16} aria-hidden className={classes.icon} />,
} as const;
