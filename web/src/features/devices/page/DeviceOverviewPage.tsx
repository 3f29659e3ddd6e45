import { Button, Skeleton } from '@mantine/core';
import { IconDeviceDesktop, IconTerminal2 } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { maySee } from '../../../lib/access.ts';
import { api } from '../../../lib/api/api.ts';
import { isRefusal } from '../../../lib/api/errors.ts';
import type { Device } from '../../../lib/api/types.ts';
import { isConsoleOpen, isDesktopOpen, mayManageDevices, nameOf } from '../../../lib/device-access.ts';
import { access } from '../../../lib/messages/access.ts';
import { desktop } from '../../../lib/messages/desktop.ts';
import { devicePage as text } from '../../../lib/messages/device-page.ts';
import { messages } from '../../../lib/messages.ts';
import { useSession } from '../../../lib/session.ts';
import { Cloned } from '../../../ui/Cloned.tsx';
import { DeviceReach } from '../../../ui/DeviceReach.tsx';
import { DeviceAlerts } from '../../../ui/DeviceAlerts.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { Fields } from '../../../ui/Fields.tsx';
import { LabelEditor } from '../../../ui/LabelEditor.tsx';
import { Missing } from '../../../ui/Missing.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Presence } from '../../../ui/Presence.tsx';
import { PresenceStrip } from '../../../ui/PresenceStrip.tsx';
import { Trail } from '../../../ui/Trail.tsx';
import { detailFields } from '../device-fields.tsx';
import { DeviceDialogs } from '../DeviceDialogs.tsx';
import { DeviceMenu } from '../DeviceMenu.tsx';
import { useDeviceDialogs } from '../useDeviceDialogs.ts';
import classes from './DeviceOverviewPage.module.css';
import { MetricCharts } from './MetricCharts.tsx';

/** A device's own page: state, labels, facts, and the history of its usage. */
export function DeviceOverviewPage() {
  const session = useSession();
  const { account_id: account = '', id = '' } = useParams();
  const { currentData, error, refetch } = api.useGetDeviceQuery({ id });
  const device = currentData?.result;
  const list = `/devices/${account}`;
  if (isRefusal(error)) return <Missing title={messages.devices.empty} to={list} label={messages.nav.devices} />;
  return (
    <Page
      title={device ? nameOf(device) : messages.devices.title}
      trail={
        <Trail
          steps={[
            { label: messages.nav.home, to: '/' },
            { label: messages.nav.devices, to: list },
          ]}
        />
      }
      actions={device ? <Actions device={device} /> : null}
    >
      {error && !device ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : device ? (
        <div className={classes.columns}>
          <div className={classes.main}>
            <p className={classes.state}>
              <Presence device={device} withSince />
            </p>
            <Cloned device={device} />
            <DeviceAlerts device={device} />
            <MetricCharts id={device.id} />
            {maySee(session, 'access') ? <DeviceReach id={device.id} /> : null}
          </div>
          <aside className={classes.side} aria-label={text.facts}>
            <LabelEditor device={device} />
            <PresenceStrip id={device.id} />
            <PresenceStrip id={device.id} hours={720} />
            <Fields fields={[ownAccess(device, session.group?.role ?? ''), ...detailFields(device)]} />
          </aside>
        </div>
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </Page>
  );
}

/** What the reader may do with the device, and why. */
function ownAccess({ permissions, rights }: Device, role: string) {
  const reasons = new Set(rights.map(({ by }) => (by === 'role' ? access.own.byRole(role) : access.own.byGrant)));
  const may = permissions.map((name) => access.short[name]).join(', ');
  return { label: access.own.label, value: `${may} (${[...reasons].join(', ')})` };
}

function Actions({ device }: { device: Device }) {
  const manages = mayManageDevices(useSession());
  const dialogs = useDeviceDialogs();
  return (
    <>
      <Open device={device} />
      {manages ? (
        <>
          <DeviceMenu device={device} dialogs={dialogs} />
          <DeviceDialogs dialogs={dialogs} />
        </>
      ) : null}
    </>
  );
}

function Open({ device }: { device: Device }) {
  const name = nameOf(device);
  return (
    <>
      {isDesktopOpen(device) ? (
        <Button
          component={Link}
          to={`/device/rdp/${device.id}`}
          variant="default"
          leftSection={<IconDeviceDesktop size={16} aria-hidden />}
          aria-label={desktop.openOf(name)}
        >
          {text.desktop}
        </Button>
      ) : null}
      {isConsoleOpen(device) ? (
        <Button
          component={Link}
          to={`/device/ssh/${device.id}`}
          leftSection={<IconTerminal2 size={16} aria-hidden />}
          aria-label={messages.devices.openConsole(name)}
        >
          {messages.devices.console}
        </Button>
      ) : null}
    </>
  );
}
