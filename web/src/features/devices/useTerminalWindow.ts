import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { failed } from '../../lib/toast.ts';

/** Opens a tab with only a terminal of the device. */
export function useTerminalWindow(device: Device): () => void {
  const [create] = deviceActionsApi.useGenerateTokenMutation();
  return () => {
    // Opened at once, because browsers block a tab that opens later than the click.
    const tab = window.open('', '_blank');
    if (!tab) {
      failed(undefined, deviceActions.websshBlocked);
      return;
    }
    tab.opener = null;
    create({ id: device.id })
      .unwrap()
      .then(
        ({ url }) => tab.location.replace(new URL(url, window.location.origin)),
        (error: unknown) => {
          tab.close();
          failed(error);
        },
      );
  };
}
