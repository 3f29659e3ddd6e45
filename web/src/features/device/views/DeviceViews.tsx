import { CloseButton, Loader } from '@mantine/core';
import { Suspense } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { Device } from '../../../lib/api/types.ts';
import { deviceViews as text } from '../../../lib/messages/device-views.ts';
import { messages } from '../../../lib/messages.ts';
import { part } from '../../../ui/part.tsx';
import type { RowAction } from '../../../ui/RowMenu.tsx';
import { ConsoleOff } from '../ConsoleOff.tsx';
import { PhoneMenu } from './PhoneMenu.tsx';
import { useViewKeys } from './useViewKeys.ts';
import { useViews, type ViewsControl } from './useViews.ts';
import { MOST_OPEN, numberOf, type ViewId } from './view-state.ts';
import { labelOf, ViewTabs } from './ViewTabs.tsx';
import classes from './DeviceViews.module.css';

const TerminalView = part(async () => (await import('./TerminalView.tsx')).TerminalView);
const Desktop = part(async () => (await import('../desktop/Desktop.tsx')).Desktop);
const LogsPanel = part(async () => (await import('../logs/LogsPanel.tsx')).LogsPanel);

export interface DeviceViewsProps {
  device: Device;
  /** Name, state and actions of the device. */
  head: ReactNode;
  overview: ReactNode;
  /** The actions of the head in groups, which a phone has in a menu beside the tabs. */
  actions: RowAction[][];
  web: ComponentType<{ device: Device }>;
}

/** The device page: its overview, terminals, desktop, web service and logs. A view that is not shown keeps its connection. */
export function DeviceViews({ device, head, overview, actions, web }: DeviceViewsProps) {
  const views = useViews(device.id);
  useViewKeys(views);
  return (
    <div className={classes.page}>
      {head}
      <ViewTabs views={views}>
        <PhoneMenu device={device} views={views} actions={actions} />
      </ViewTabs>
      <Closed views={views} />
      <div className={classes.stage}>
        <Panel view="overview" views={views} always>
          <div className={classes.scroll}>{overview}</div>
        </Panel>
        {views.views.slice(1).map((view) => (
          <Panel key={view} view={view} views={views}>
            <View view={view} device={device} views={views} web={web} />
          </Panel>
        ))}
      </div>
    </div>
  );
}

interface PanelProps {
  view: ViewId;
  views: ViewsControl;
  /** Has no connection, so that it stays once it was shown. */
  always?: boolean;
  children: ReactNode;
}

function Panel({ view, views, always = false, children }: PanelProps) {
  const shown = view === views.current;
  if (!always && !views.state.open.includes(view)) return null;
  return (
    <section
      className={classes.panel}
      aria-label={labelOf(view, views)}
      data-view={view}
      data-shown={shown || undefined}
    >
      <Suspense
        fallback={<Loader className={classes.loader} size={36} role="status" aria-label={messages.common.loading} />}
      >
        {children}
      </Suspense>
    </section>
  );
}

interface ViewProps extends Pick<DeviceViewsProps, 'device' | 'web'> {
  view: ViewId;
  views: ViewsControl;
}

function View({ view, device, views, web: Web }: ViewProps) {
  const number = numberOf(view);
  if (view === 'web') return <Web device={device} />;
  if (view === 'logs') {
    return (
      <div className={classes.logs}>
        <LogsPanel device={device} />
      </div>
    );
  }
  if (device.ssh_enable !== 'Yes') return <ConsoleOff device={device} lead={null} />;
  if (number === undefined) {
    return <Desktop embedded key={`${device.vnc_ip}:${device.vnc_port}`} device={device} lead={null} />;
  }
  return (
    <TerminalView
      device={device}
      number={number}
      split={views.state.splits[number]}
      shown={view === views.current}
      onUnsplit={() => views.split(null)}
      onTitle={(title) => views.setTitle(number, title)}
    />
  );
}

/** Says which views were closed to make room. */
function Closed({ views }: { views: ViewsControl }) {
  const { closed } = views.state;
  if (closed.length === 0) return null;
  return (
    <div className={classes.notice} role="status">
      <div className={classes.noticeText}>
        {closed.map((view) => (
          <p key={view}>
            {(numberOf(view) === undefined ? text.closed : text.closedTerminal)(labelOf(view, views), MOST_OPEN)}
          </p>
        ))}
      </div>
      <CloseButton aria-label={text.dismiss} onClick={views.dismiss} />
    </div>
  );
}
