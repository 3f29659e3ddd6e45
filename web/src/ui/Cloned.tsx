import { Badge, Tooltip } from '@mantine/core';
import type { Device } from '../lib/api/types.ts';
import { link as text } from '../lib/messages/link.ts';

interface ClonedProps {
  device: Pick<Device, 'cloned'>;
  /** Where there is little room. */
  short?: boolean;
}

/** Says that a second machine uses a device's identity, and what to do about it; nothing otherwise. */
export function Cloned({ device, short = false }: ClonedProps) {
  if (device.cloned !== 'Yes') return null;
  return (
    <Tooltip label={short ? `${text.cloned}. ${text.clonedHelp}` : text.clonedHelp} multiline w={280}>
      <Badge
        variant="default"
        size="sm"
        tt="none"
        fw={400}
        radius="sm"
        tabIndex={0}
        aria-label={`${text.cloned}. ${text.clonedHelp}`}
        role="note"
        style={{ flex: 'none', color: 'var(--state-warn)', borderColor: 'currentcolor' }}
      >
        {short ? text.clonedShort : text.cloned}
      </Badge>
    </Tooltip>
  );
}
