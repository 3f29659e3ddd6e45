import { Anchor, Skeleton } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Suspense, type ComponentType, type ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { mayReadAudit, maySee } from '../../../lib/access.ts';
import { api } from '../../../lib/api/api.ts';
import { isRefusal } from '../../../lib/api/errors.ts';
import type { Device } from '../../../lib/api/types.ts';
import { hasGuestLinks, nameOf } from '../../../lib/device-access.ts';
import { access } from '../../../lib/messages/access.ts';
import { devicePage as text } from '../../../lib/messages/device-page.ts';
import { messages } from '../../../lib/messages.ts';
import { recordings } from '../../../lib/messages/recordings.ts';
import { recordingsPath } from '../../../lib/recording-access.ts';
import { useSession } from '../../../lib/session.ts';
import { Cloned } from '../../../ui/Cloned.tsx';
import { DeviceReach } from '../../../ui/DeviceReach.tsx';
import { DeviceAlerts } from '../../../ui/DeviceAlerts.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { Fields } from '../../../ui/Fields.tsx';
import { LabelEditor } from '../../../ui/LabelEditor.tsx';
import { machineFields } from '../../../ui/machine-fields.tsx';
import { Missing } from '../../../ui/Missing.tsx';
import { Page } from '../../../ui/Page.tsx';
import { part } from '../../../ui/part.tsx';
import { Presence } from '../../../ui/Presence.tsx';
import { PresenceStrip } from '../../../ui/PresenceStrip.tsx';
import { RowMenu, type RowAction } from '../../../ui/RowMenu.tsx';
import { Trail } from '../../../ui/Trail.tsx';
import { detailFields } from '../device-fields.tsx';
import classes from './DeviceOverviewPage.module.css';
import { useHeadActions, type HeadActions } from './head-actions.tsx';
import { HeadButton } from './HeadButton.tsx';
import { MetricCharts } from './MetricCharts.tsx';

const GuestLinks = part(async () => (await import('../../../ui/guest-links/GuestLinks.tsx')).GuestLinks);
const DeviceSessions = part(async () => (await import('./DeviceSessions.tsx')).DeviceSessions);

interface DeviceOverviewPageProps {
  /** Shows the overview, and the device's other views beside it. */
  views: ComponentType<DeviceViewsOf>;
}

/** What the views of a device are given. */
export interface DeviceViewsOf {
  device: Device;
  head: ReactNode;
  overview: ReactNode;
  /** The actions of the head in groups, the frequent ones last, for the menu at the bottom of a phone. */
  actions: RowAction[][];
}

/** A device's own page: state, labels, facts and the history of its usage, with terminals, desktop, web service and logs beside it. */
export function DeviceOverviewPage({ views: Views }: DeviceOverviewPageProps) {
  const { account_id: account = '', id = '' } = useParams();
  const { currentData, error, refetch } = api.useGetDeviceQuery({ id });
  const device = currentData?.result;
  const list = `/devices/${account}`;
  if (isRefusal(error)) {
    return (
      <div className={classes.alone}>
        <Missing title={messages.missing.device} to={list} label={messages.missing.devices} />
      </div>
    );
  }
  if (device) {
    return <Found key={id} device={device} list={list} views={Views} />;
  }
  return (
    <div className={classes.alone}>
      <Page title={messages.devices.title} trail={<Steps list={list} />}>
        {error ? <Failure title={text.failed} error={error} retry={refetch} /> : <Skeleton height={320} radius="md" />}
      </Page>
    </div>
  );
}

function Found({ device, list, views: Views }: DeviceOverviewPageProps & { device: Device; list: string }) {
  const actions = useHeadActions(device);
  return (
    <Views
      device={device}
      head={<Head device={device} list={list} actions={actions} />}
      overview={<Overview device={device} />}
      actions={[actions.menu, actions.buttons]}
    />
  );
}

function Recordings({ device: { id, account } }: { device: Device }) {
  const path = recordingsPath(useSession(), account.id, { device: id });
  if (!path) return null;
  return (
    <Anchor component={Link} to={path} size="sm">
      {recordings.ofDevice}
    </Anchor>
  );
}

function Steps({ list }: { list: string }) {
  return (
    <Trail
      steps={[
        { label: messages.nav.home, to: '/' },
        { label: messages.nav.devices, to: list },
      ]}
    />
  );
}

interface HeadProps {
  device: Device;
  list: string;
  actions: HeadActions;
}

/** One row above every view: the way back, the name, the state, and what can be done with the device. */
function Head({ device, list, actions: { buttons, menu, dialogs } }: HeadProps) {
  const name = nameOf(device);
  useDocumentTitle(`${name} · Warren`);
  return (
    <div className={classes.head}>
      <div className={classes.lead}>
        <span className={classes.trail}>
          <Steps list={list} />
        </span>
        <h1 className={classes.name}>{name}</h1>
      </div>
      <Presence device={device} withSince="always" />
      <span className={classes.actions}>
        {buttons.map((action) => (
          <HeadButton key={action.label} action={action} />
        ))}
        <RowMenu name={name} actions={menu} />
      </span>
      {dialogs}
    </div>
  );
}

function Overview({ device }: { device: Device }) {
  const session = useSession();
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <Cloned device={device} />
        <DeviceAlerts device={device} />
        {hasGuestLinks(session, device) ? (
          <Suspense>
            <GuestLinks device={device} />
          </Suspense>
        ) : null}
        <MetricCharts id={device.id} />
        {mayReadAudit(session, device.account.id) ? (
          <Suspense>
            <DeviceSessions device={device} />
          </Suspense>
        ) : null}
        {maySee(session, 'access') ? <DeviceReach device={device} /> : null}
      </div>
      <aside className={classes.side} aria-label={text.facts}>
        <LabelEditor device={device} />
        <PresenceStrip id={device.id} />
        <PresenceStrip id={device.id} hours={720} />
        <Fields
          fields={[
            ownAccess(device, session.group?.role ?? ''),
            ...detailFields(device, 'always'),
            ...(device.facts_at ? machineFields(device) : []),
          ]}
        />
        <Recordings device={device} />
      </aside>
    </div>
  );
}

/** What the reader may do with the device, and why. */
function ownAccess({ permissions, rights }: Device, role: string) {
  const reasons = new Set(rights.map(({ by }) => (by === 'role' ? access.own.byRole(role) : access.own.byGrant)));
  const may = permissions.map((name) => access.short[name]).join(', ');
  return { label: access.own.label, value: `${may} (${[...reasons].join(', ')})` };
}
