import { CloseButton, Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '../../../lib/api/types.ts';
import { nameOf } from '../../../lib/device-access.ts';
import { deviceViews as text } from '../../../lib/messages/device-views.ts';
import { Terminal } from '../terminal/Terminal.tsx';
import { slotOf } from './useViews.ts';
import { viewKeyOf } from './view-keys.ts';
import type { Split } from './view-state.ts';
import classes from './DeviceViews.module.css';

interface TerminalViewProps {
  device: Device;
  number: number;
  split: Split | undefined;
  /** Whether this view is the one on the screen. */
  shown: boolean;
  onUnsplit: () => void;
  /** Called with the name of the first terminal; may be empty. */
  onTitle: (title: string) => void;
}

/** A terminal tab: one terminal, or two beside or below each other. */
export function TerminalView({ device, number, split, shown, onUnsplit, onTitle }: TerminalViewProps) {
  const [active, setActive] = useState<1 | 2>(1);
  const name = nameOf(device);
  const pane = (which: 1 | 2) => (
    <div
      className={classes.pane}
      data-pane={which}
      data-active={active === which || undefined}
      onFocus={() => setActive(which)}
    >
      <Terminal
        embedded
        id={device.id}
        slot={slotOf(number, which)}
        name={which === 1 ? name : text.second(name)}
        online={device.status === 'Connected'}
        focused={shown && (active === which || !split)}
        isReserved={isShortcut}
        {...(which === 1 && { onTitle })}
        lead={which === 2 ? <Unsplit onUnsplit={onUnsplit} /> : null}
      />
    </div>
  );
  return (
    <div className={classes.panes} data-split={split}>
      {pane(1)}
      {split ? pane(2) : null}
    </div>
  );
}

const isShortcut = (event: KeyboardEvent) => viewKeyOf(event) !== undefined;

function Unsplit({ onUnsplit }: { onUnsplit: () => void }) {
  return (
    <Tooltip label={text.unsplit}>
      <CloseButton size="sm" aria-label={text.unsplit} onClick={onUnsplit} />
    </Tooltip>
  );
}
