import { DeviceViews } from '../features/device/views/DeviceViews.tsx';
import { DeviceOverviewPage, type DeviceViewsOf } from '../features/devices/page/DeviceOverviewPage.tsx';
import { OpenedWeb } from '../features/web/OpenedWeb.tsx';
import type { Device } from '../lib/api/types.ts';

/** A device's own page, with all its views. */
export function DeviceRoute() {
  return <DeviceOverviewPage views={Views} />;
}

function Views(props: DeviceViewsOf) {
  return <DeviceViews {...props} web={Web} />;
}

function Web({ device }: { device: Device }) {
  return <OpenedWeb embedded device={device} />;
}
