import { Desktop } from './desktop/Desktop.tsx';
import { DevicePage } from './DevicePage.tsx';

/** A device's desktop. */
export function DesktopPage() {
  return <DevicePage session="rdp" stage={Desktop} />;
}
