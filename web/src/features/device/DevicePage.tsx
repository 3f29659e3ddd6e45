import { Loader } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useState } from 'react';
import type { ComponentType, CSSProperties, ReactNode } from 'react';
import { useParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { keys } from '../../lib/storage.ts';
import { Failure } from '../../ui/Failure.tsx';
import { usePreference } from '../../ui/usePreference.ts';
import { ConsoleOff } from './ConsoleOff.tsx';
import { DeviceLead } from './DeviceLead.tsx';
import type { Session } from './DeviceLead.tsx';
import { Gone } from './Gone.tsx';
import { MachineNotice } from './MachineNotice.tsx';
import { Panel } from './Panel.tsx';
import type { PanelId } from './Panel.tsx';
import { Rail, tabsOf } from './Rail.tsx';
import classes from './DevicePage.module.css';

/** The main content of a device page. */
export interface StageProps {
  device: Device;
  /** The start of its bar. */
  lead: ReactNode;
}

interface DevicePageProps {
  session: Session;
  stage: ComponentType<StageProps>;
}

/** A device page: the shell or the desktop, with panels beside it. */
export function DevicePage(props: DevicePageProps) {
  const { id = '' } = useParams();
  const { currentData, error, refetch } = api.useGetDeviceQuery({ id });
  if (isRefusal(error)) return <Gone />;
  if (currentData) return <Console key={id} device={currentData.result} {...props} />;
  if (!error) {
    return (
      <div className={classes.middle}>
        <Loader size={36} aria-label={messages.common.loading} role="status" />
      </div>
    );
  }
  return (
    <div className={classes.failure}>
      <Failure title={messages.details.failed} error={error} retry={refetch} />
    </div>
  );
}

function Console({ device, session, stage: Stage }: DevicePageProps & { device: Device }) {
  const name = device.custom_name || device.name;
  const [panel, setPanel] = useState<PanelId | null>(null);
  const [pinned, setPinned] = usePreference(keys.panelPinned, (text) => text === 'true');
  useDocumentTitle(`${name} · Warren`);
  const tabs = tabsOf(useSession(), device);
  const close = () => {
    // Before the panel and its focus disappear.
    document.querySelector<HTMLElement>('[aria-controls=device-panel][aria-expanded=true]')?.focus();
    setPanel(null);
  };
  const lead = <DeviceLead device={device} name={name} session={session} />;
  return (
    <div className={classes.page}>
      {panel === 'details' ? null : <MachineNotice device={device} onDecide={() => setPanel('details')} />}
      <div className={classes.body} style={railRoom(tabs.length)}>
        <div className={classes.stage}>
          {device.ssh_enable === 'Yes' ? (
            <Stage device={device} lead={lead} />
          ) : (
            <ConsoleOff device={device} lead={lead} />
          )}
        </div>
        {panel ? (
          <Panel id={panel} device={device} pinned={pinned} onPin={() => setPinned(!pinned)} onClose={close} />
        ) : null}
        <Rail tabs={tabs} open={panel} onToggle={(id) => setPanel(panel === id ? null : id)} />
      </div>
    </div>
  );
}

/** On a phone the side menu lies in the second row of the bar, which reserves its space. */
const railRoom = (tabs: number) => ({ '--rail-room': `${tabs * 34 + 8}px` }) as CSSProperties;
