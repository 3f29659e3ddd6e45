import { Button, Skeleton } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { isRefusal } from '../../../lib/api/errors.ts';
import type { Device } from '../../../lib/api/types.ts';
import { nameOf } from '../../../lib/device-access.ts';
import { compare as text } from '../../../lib/messages/compare.ts';
import { messages } from '../../../lib/messages.ts';
import { DevicePicker } from '../../../ui/DevicePicker.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { Missing } from '../../../ui/Missing.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Trail } from '../../../ui/Trail.tsx';
import { CompareCharts } from './CompareCharts.tsx';
import classes from './ComparePage.module.css';
import { CompareTable } from './CompareTable.tsx';

/** Two devices beside each other: their facts, and their charts on one axis. The address names both. */
export function ComparePage() {
  const { id = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const otherId = query.get('with') ?? '';
  const one = useDevice(id);
  const other = useDevice(otherId);
  const choose = (next: string) =>
    setQuery((now) => {
      const changed = new URLSearchParams(now);
      if (next) changed.set('with', next);
      else changed.delete('with');
      return changed;
    });
  if (isRefusal(one.error) || isRefusal(other.error)) {
    return <Missing title={messages.details.failed} to="/" label={messages.nav.home} />;
  }
  const failed = [one, other].find(({ error }) => error !== undefined);
  return (
    <Page
      title={text.title}
      trail={<Trail steps={steps(one.device)} />}
      actions={
        one.device && other.device ? (
          <Button variant="default" onClick={() => choose('')}>
            {text.another}
          </Button>
        ) : null
      }
    >
      {failed ? (
        <Failure title={messages.details.failed} error={failed.error} retry={failed.refetch} />
      ) : !one.device ? (
        <Skeleton height={320} radius="md" />
      ) : otherId === '' ? (
        <Pick device={one.device} onPick={choose} />
      ) : (
        <Both one={one.device} other={other.device} />
      )}
    </Page>
  );
}

/** A device, or why there is none; nothing for no id. */
function useDevice(id: string) {
  const skip = id === '';
  const { currentData, error, refetch } = api.useGetDeviceQuery({ id }, { skip });
  const device = skip ? undefined : currentData?.result;
  return { device, error: device || skip ? undefined : error, refetch };
}

function Both({ one, other }: { one: Device; other: Device | undefined }) {
  if (!other) return <Skeleton height={320} radius="md" />;
  return (
    <>
      <CompareTable one={one} other={other} />
      <CompareCharts one={one} other={other} />
    </>
  );
}

function Pick({ device, onPick }: { device: Device; onPick: (id: string) => void }) {
  return (
    <div className={classes.pick}>
      <p>{text.pick(nameOf(device))}</p>
      <DevicePicker
        label={text.pickLabel}
        none={text.pickNone}
        accountId={device.account.id}
        offers={({ id }) => id !== device.id}
        value={null}
        onChange={(chosen) => chosen && onPick(chosen.id)}
      />
    </div>
  );
}

function steps(device: Device | undefined) {
  const home = { label: messages.nav.home, to: '/' };
  return device ? [home, { label: messages.nav.devices, to: `/devices/${device.account.id}` }] : [home];
}
