import { ActionIcon, Tooltip } from '@mantine/core';
import { IconInfoCircle, IconLogs, IconTrash, IconWorldShare } from '@tabler/icons-react';
import type { Device } from '../../lib/api/types.ts';
import { mayManageDevices, mayOn } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { messages } from '../../lib/messages.ts';
import type { Session } from '../../lib/session.ts';
import type { PanelId } from './Panel.tsx';
import classes from './DevicePage.module.css';

interface Tab {
  id: PanelId;
  label: string;
  icon: typeof IconInfoCircle;
}

const everybody: Tab[] = [
  { id: 'details', label: messages.device.details, icon: IconInfoCircle },
  { id: 'wormhole', label: messages.device.wormhole, icon: IconWorldShare },
  { id: 'logs', label: messages.device.logs, icon: IconLogs },
];
const managers: Tab[] = [{ id: 'delete', label: deviceActions.remove.title, icon: IconTrash }];

/** The panels of a device that this person may open. */
export const tabsOf = (session: Session, device: Device): Tab[] => [
  ...everybody.filter(({ id }) => id !== 'logs' || mayOn(device, 'terminal')),
  ...(mayManageDevices(session) ? managers : []),
];

interface RailProps {
  tabs: Tab[];
  open: PanelId | null;
  onToggle: (id: PanelId) => void;
}

/** The side menu: one panel open at a time; the open one's tab closes it. */
export function Rail({ tabs, open, onToggle }: RailProps) {
  return (
    <div className={classes.rail} role="toolbar" aria-label={messages.device.tools} aria-orientation="vertical">
      {tabs.map(({ id, label, icon: Icon }) => (
        <Tooltip key={id} label={label} position="left" disabled={open === id}>
          <ActionIcon
            size={34}
            variant={open === id ? 'light' : 'subtle'}
            color={open === id ? 'teal' : 'gray'}
            aria-label={label}
            aria-expanded={open === id}
            aria-controls="device-panel"
            onClick={() => onToggle(id)}
          >
            <Icon size={19} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
