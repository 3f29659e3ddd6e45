import { Desktop } from './desktop/Desktop.tsx';
import { DevicePage } from './DevicePage.tsx';
import type { StageProps } from './DevicePage.tsx';

/** A device's desktop. */
export function DesktopPage() {
  return <DevicePage session="rdp" stage={Stage} />;
}

/** A changed address of the VNC server is a new desktop, which connects at once. */
function Stage({ device, lead }: StageProps) {
  return <Desktop key={`${device.vnc_ip}:${device.vnc_port}`} device={device} lead={lead} />;
}
