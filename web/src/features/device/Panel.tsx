import { ActionIcon, CloseButton, Loader, Tooltip } from '@mantine/core';
import { IconPin, IconPinnedOff } from '@tabler/icons-react';
import { Suspense } from 'react';
import type { Device } from '../../lib/api/types.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { messages } from '../../lib/messages.ts';
import { part } from '../../ui/part.tsx';
import { DeletePanel } from './DeletePanel.tsx';
import { DetailsPanel } from './DetailsPanel.tsx';
import { WormholePanel } from './WormholePanel.tsx';
import classes from './DevicePage.module.css';

const LogsPanel = part(async () => (await import('./logs/LogsPanel.tsx')).LogsPanel);

export type PanelId = 'details' | 'wormhole' | 'logs' | 'delete';

const titles: Record<PanelId, string> = {
  details: messages.device.details,
  wormhole: messages.device.wormhole,
  logs: messages.device.logs,
  delete: deviceActions.remove.title,
};

interface PanelProps {
  id: PanelId;
  device: Device;
  pinned: boolean;
  onPin: () => void;
  onClose: () => void;
}

/** A panel beside the shell: overlaid, or pinned and resizing it. */
export function Panel({ id, device, pinned, onPin, onClose }: PanelProps) {
  const pin = pinned ? messages.device.unpin : messages.device.pin;
  return (
    <aside
      id="device-panel"
      className={classes.panel}
      data-pinned={pinned || undefined}
      data-panel={id}
      aria-label={titles[id]}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{titles[id]}</h2>
        <Tooltip label={pin}>
          <ActionIcon
            visibleFrom="sm"
            variant="subtle"
            color="gray"
            aria-label={pin}
            aria-pressed={pinned}
            onClick={onPin}
          >
            {pinned ? <IconPinnedOff size={17} /> : <IconPin size={17} />}
          </ActionIcon>
        </Tooltip>
        <CloseButton aria-label={messages.common.close} onClick={onClose} />
      </div>
      <div className={classes.panelBody}>
        {id === 'details' ? <DetailsPanel device={device} /> : null}
        {id === 'wormhole' ? <WormholePanel device={device} /> : null}
        {id === 'logs' ? (
          <Suspense fallback={<Loader size={24} aria-label={messages.common.loading} role="status" />}>
            <LogsPanel device={device} />
          </Suspense>
        ) : null}
        {id === 'delete' ? <DeletePanel device={device} onClose={onClose} /> : null}
      </div>
    </aside>
  );
}
