import { Loader } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { api } from '../../lib/api/api.ts';
import { statusOf } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { webApi } from '../../lib/api/web.ts';
import { nameOf } from '../../lib/device-access.ts';
import { messages } from '../../lib/messages.ts';
import { Failure } from '../../ui/Failure.tsx';
import { OpenedWeb } from './OpenedWeb.tsx';
import classes from './WebPage.module.css';

/**
 * The web service of the device that has this address.
 * @param lost shown for an address of no device, or of one without access
 */
export function WebPage({ address, lost }: { address: string; lost: ReactNode }) {
  const { data, error, refetch } = webApi.useGetDeviceByAddressQuery({ address });
  if (data) return <Known id={data.result.id} first={data.result} lost={lost} />;
  if (statusOf(error) === 404 || statusOf(error) === 400) return lost;
  return error ? <Problem error={error} retry={refetch} /> : <Waiting />;
}

function Known({ id, first, lost }: { id: string; first: Device; lost: ReactNode }) {
  const { currentData, error } = api.useGetDeviceQuery({ id });
  const device = currentData?.result ?? first;
  useDocumentTitle(`${nameOf(device)} · Warren`);
  if (statusOf(error) === 404) return lost;
  return <OpenedWeb device={device} />;
}

function Problem({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className={classes.failure}>
      <Failure title={messages.details.failed} error={error} retry={retry} />
    </div>
  );
}

function Waiting() {
  return (
    <div className={classes.middle}>
      <Loader size={36} aria-label={messages.common.loading} role="status" />
    </div>
  );
}
