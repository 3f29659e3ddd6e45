import { Loader } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { errorText, statusOf } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { keys } from '../../lib/storage.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Presence } from '../../ui/Presence.tsx';
import { usePreference } from '../../ui/usePreference.ts';
import { DeviceLead } from './DeviceLead.tsx';
import { Panel } from './Panel.tsx';
import type { PanelId } from './Panel.tsx';
import { Rail } from './Rail.tsx';
import { Terminal } from './terminal/Terminal.tsx';
import classes from './DevicePage.module.css';

/** A device's console: the shell, and panels beside it. */
export function DevicePage() {
  const { id = '' } = useParams();
  const { currentData, error, refetch } = api.useGetDeviceQuery({ id });
  if (currentData) return <Console key={id} device={currentData.result} />;
  if (!error) {
    return (
      <div className={classes.middle}>
        <Loader size={36} aria-label={messages.common.loading} role="status" />
      </div>
    );
  }
  const missing = statusOf(error) === 404;
  return (
    <div className={classes.failure}>
      <Failure
        title={messages.details.failed}
        reason={errorText(error)}
        {...(missing ? {} : { retry: () => void refetch() })}
      />
    </div>
  );
}

function Console({ device }: { device: Device }) {
  const name = device.custom_name || device.name;
  const [panel, setPanel] = useState<PanelId | null>(null);
  const [pinned, setPinned] = usePreference(keys.panelPinned, (text) => text === 'true');
  useDocumentTitle(`${name} · Warren`);
  const lead = <DeviceLead device={device} name={name} />;
  return (
    <div className={classes.page}>
      <div className={classes.body}>
        <div className={classes.stage}>
          {device.ssh_enable === 'Yes' ? (
            <Terminal id={device.id} name={name} online={device.status === 'Connected'} lead={lead} />
          ) : (
            <ConsoleOff device={device} lead={lead} />
          )}
        </div>
        {panel ? (
          <Panel
            id={panel}
            device={device}
            pinned={pinned}
            onPin={() => setPinned(!pinned)}
            onClose={() => setPanel(null)}
          />
        ) : null}
        <Rail open={panel} onToggle={(id) => setPanel(panel === id ? null : id)} />
      </div>
    </div>
  );
}

function ConsoleOff({ device, lead }: { device: Device; lead: ReactNode }) {
  return (
    <div className={classes.off}>
      <div className={classes.bar}>
        {lead}
        <Presence status={device.status} since={device.status_since} withSince />
      </div>
      <div className={classes.middle}>{messages.device.consoleOff}</div>
    </div>
  );
}
