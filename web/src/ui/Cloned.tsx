import { Badge, Tooltip } from '@mantine/core';
import type { Device } from '../lib/api/types.ts';
import { link as text } from '../lib/messages/link.ts';
import { machines } from '../lib/messages/machines.ts';

interface ClonedProps {
  device: Pick<Device, 'cloned' | 'machine_waits'>;
  /** For little space, without the machines. */
  short?: boolean;
}

/** Warns that another machine uses a device's identity, and shows what to do; else renders nothing. */
export function Cloned({ device, short = false }: ClonedProps) {
  if (short && device.machine_waits === 'Yes') return <Warning label={machines.short} help={machines.shortHelp} />;
  if (device.cloned !== 'Yes') return null;
  if (short) return <Warning label={text.clonedShort} help={`${text.cloned}. ${text.clonedHelp}`} />;
  return <Warning label={text.cloned} help={text.clonedHelp} named />;
}

interface WarningProps {
  label: string;
  help: string;
  /** Whether the label is read before the help. */
  named?: boolean;
}

function Warning({ label, help, named = false }: WarningProps) {
  return (
    <Tooltip label={help} multiline w={280}>
      <Badge
        variant="default"
        size="sm"
        tt="none"
        fw={400}
        radius="sm"
        tabIndex={0}
        aria-label={named ? `${label}. ${help}` : help}
        role="note"
        style={{ flex: 'none', color: 'var(--state-warn)', borderColor: 'currentcolor' }}
      >
        {label}
      </Badge>
    </Tooltip>
  );
}
