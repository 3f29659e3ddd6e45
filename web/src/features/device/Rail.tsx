import { ActionIcon, Tooltip } from '@mantine/core';
import { IconInfoCircle, IconWorldShare } from '@tabler/icons-react';
import { messages } from '../../lib/messages.ts';
import type { PanelId } from './Panel.tsx';
import classes from './DevicePage.module.css';

const tabs: { id: PanelId; label: string; icon: typeof IconInfoCircle }[] = [
  { id: 'details', label: messages.device.details, icon: IconInfoCircle },
  { id: 'wormhole', label: messages.device.wormhole, icon: IconWorldShare },
];

/** The side menu: one panel open at a time; the open one's tab closes it. */
export function Rail({ open, onToggle }: { open: PanelId | null; onToggle: (id: PanelId) => void }) {
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
