import { nameOf } from '../../lib/device-access.ts';
import { DevicePage } from './DevicePage.tsx';
import type { StageProps } from './DevicePage.tsx';
import { Terminal } from './terminal/Terminal.tsx';

/** A device's shell. */
export function TerminalPage() {
  return <DevicePage session="ssh" stage={Shell} />;
}

function Shell({ device, lead }: StageProps) {
  return <Terminal id={device.id} name={nameOf(device)} online={device.status === 'Connected'} lead={lead} />;
}
