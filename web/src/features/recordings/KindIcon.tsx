import { Tooltip } from '@mantine/core';
import { IconDeviceDesktop, IconTerminal2 } from '@tabler/icons-react';
import type { Recording } from '../../lib/api/types.ts';
import { recordings as text } from '../../lib/messages/recordings.ts';
import classes from './KindIcon.module.css';

const ICONS = { terminal: IconTerminal2, desktop: IconDeviceDesktop };

/** Whether a terminal or a desktop was recorded. */
export function KindIcon({ kind }: Pick<Recording, 'kind'>) {
  const Shape = ICONS[kind];
  return (
    <Tooltip label={text.kinds[kind]}>
      <span className={classes.kind} role="img" aria-label={text.kinds[kind]}>
        <Shape size={16} aria-hidden />
      </span>
    </Tooltip>
  );
}
