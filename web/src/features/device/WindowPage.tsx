import { Loader, Text } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { messages } from '../../lib/messages.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Gone } from './Gone.tsx';
import { Terminal } from './terminal/Terminal.tsx';
import classes from './DevicePage.module.css';

const text = deviceActions.window;

/** Only a terminal, in the whole window. The first connection uses the token of the address; later ones request theirs. */
export function WindowPage() {
  const [query, setQuery] = useSearchParams();
  const [token] = useState(() => query.get('token'));
  const id = query.get('id') ?? '';
  // A token works once: it must not stay in a reload, the history or a copied address.
  useEffect(() => {
    if (query.has('token')) setQuery({ id }, { replace: true });
  }, []);
  return (
    <main className={classes.window}>
      {id ? <Shell id={id} token={token} /> : <Empty whole title={text.noDevice} />}
    </main>
  );
}

function Shell({ id, token }: { id: string; token: string | null }) {
  const { currentData, error, refetch } = api.useGetDeviceQuery({ id });
  if (currentData) return <WindowTerminal device={currentData.result} token={token} />;
  if (isRefusal(error)) return <Gone />;
  if (error) {
    return (
      <div className={classes.failure}>
        <Failure title={messages.details.failed} error={error} retry={refetch} />
      </div>
    );
  }
  return (
    <div className={classes.middle}>
      <Loader size={36} aria-label={messages.common.loading} role="status" />
    </div>
  );
}

function WindowTerminal({ device, token }: { device: Device; token: string | null }) {
  const name = nameOf(device);
  useDocumentTitle(text.title(name));
  const lead = (
    <Text component="h1" truncate fw={600} m={0} fz={14} className={classes.name}>
      {name}
    </Text>
  );
  return <Terminal id={device.id} token={token} name={name} online={device.status === 'Connected'} lead={lead} />;
}
