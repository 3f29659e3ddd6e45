import { Button, Text } from '@mantine/core';
import type { Device } from '../../lib/api/types.ts';
import { machines as text } from '../../lib/messages/machines.ts';
import classes from './Machines.module.css';

/** Warns above a device's console that another machine uses its identity; renders nothing otherwise. */
export function MachineNotice({ device, onDecide }: { device: Device; onDecide: () => void }) {
  if (device.machine_waits !== 'Yes') return null;
  return (
    <div className={classes.notice} role="status">
      <Text size="sm">{device.status === 'Connected' ? text.noticeTwo : text.noticeOne}</Text>
      <Button variant="default" size="compact-xs" onClick={onDecide}>
        {text.decide}
      </Button>
    </div>
  );
}
