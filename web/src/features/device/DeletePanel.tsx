import { useNavigate } from 'react-router';
import type { Device } from '../../lib/api/types.ts';
import { devicesPath, useClient } from '../../lib/client.ts';
import { useSession } from '../../lib/session.ts';
import { DeleteDevice } from '../../ui/DeleteDevice.tsx';

/** Deletes the device, then returns to the list. */
export function DeletePanel({ device, onClose }: { device: Device; onClose: () => void }) {
  const navigate = useNavigate();
  const session = useSession();
  const [client] = useClient();
  const leave = () => void navigate(devicesPath(session, client), { replace: true });
  return <DeleteDevice device={device} onClose={onClose} onRemoved={leave} />;
}
