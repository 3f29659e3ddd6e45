import { useSearchParams } from 'react-router';
import { nameOf } from '../../lib/device-access.ts';
import { DevicePage } from './DevicePage.tsx';
import type { StageProps } from './DevicePage.tsx';
import { linkedTerminal } from './terminal/link.ts';
import { Terminal } from './terminal/Terminal.tsx';

/** A device's shell. */
export function TerminalPage() {
  return <DevicePage session="ssh" stage={Shell} />;
}

function Shell({ device, lead }: StageProps) {
  const [query] = useSearchParams();
  const { id, status } = device;
  const link = linkedTerminal(query);
  return <Terminal id={id} name={nameOf(device)} online={status === 'Connected'} link={link} lead={lead} />;
}
