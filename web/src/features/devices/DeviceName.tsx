import { Anchor } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import type { Device } from '../../lib/api/types.ts';
import { devicePath, nameOf } from '../../lib/device-access.ts';
import { Cloned } from '../../ui/Cloned.tsx';
import { LabelChips } from '../../ui/LabelChips.tsx';
import classes from './columns.module.css';

interface DeviceNameProps {
  device: Device;
  onDetails: (id: string) => void;
  /** Labels are beside the name, if they have no column. */
  onFilter: ((term: string) => void) | undefined;
}

/** The name of a device in a list, beside what tells it from others. */
export function DeviceName({ device, onDetails, onFilter }: DeviceNameProps) {
  const name = nameOf(device);
  // A link to the page, for new tabs; a plain click shows the details (specification, section 2, 'Devices list').
  const show = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onDetails(device.id);
  };
  return (
    <span className={classes.name}>
      <Anchor component={Link} to={devicePath(device)} size="sm" truncate aria-haspopup="dialog" onClick={show}>
        {name}
      </Anchor>
      {name === device.name ? null : <span className={classes.host}>{device.name}</span>}
      <Cloned device={device} short />
      {onFilter && Object.keys(device.labels).length > 0 ? (
        <span className={classes.labels}>
          <LabelChips labels={device.labels} most={2} onFilter={onFilter} />
        </span>
      ) : null}
    </span>
  );
}
