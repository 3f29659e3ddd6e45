import { useEffect, useState, useSyncExternalStore } from 'react';
import { LogsClient } from '../../../sockets/logs/client.ts';
import type { LogsSnapshot } from '../../../sockets/logs/client.ts';
import { socketsOf } from '../../../sockets/socket.ts';
import { useTicket } from '../useTicket.ts';

/** The journal of a device, for the lifetime of the component. */
export function useLogs(id: string, online: boolean): [LogsSnapshot, LogsClient] {
  const ticket = useTicket(id, 'logs');
  const [client] = useState(() => new LogsClient({ openSocket: socketsOf('logs', id), ticket }));
  const snapshot = useSyncExternalStore(client.subscribe, () => client.snapshot);
  useEffect(() => {
    client.connect();
    return () => client.close();
  }, [client]);
  useEffect(() => {
    if (online) client.retryNow();
  }, [client, online]);
  return [snapshot, client];
}
