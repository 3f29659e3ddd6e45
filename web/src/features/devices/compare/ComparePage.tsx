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
  const one = api.useGetDeviceQuery({ id });
  const other = api.useGetDeviceQuery({ id: otherId }, { skip: otherId === '' });
  const [device, second] = [one.currentData?.result, otherId === '' ? undefined : other.currentData?.result];
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
  const error = (device ? undefined : one.error) ?? (second ? undefined : other.error);
  const retry = () => void (device ? other.refetch() : one.refetch());
  return (
    <Page
      title={text.title}
      trail={<Trail steps={steps(device)} />}
      actions={
        device && second ? (
          <Button variant="default" onClick={() => choose('')}>
            {text.another}
          </Button>
        ) : null
      }
    >
      {error ? (
        <Failure title={messages.details.failed} error={error} retry={retry} />
      ) : device && second ? (
        <>
          <CompareTable one={device} other={second} />
          <CompareCharts one={device} other={second} />
        </>
      ) : device && otherId === '' ? (
        <div className={classes.pick}>
          <p>{text.pick(nameOf(device))}</p>
          <DevicePicker
            label={text.pickLabel}
            none={text.pickNone}
            accountId={device.account.id}
            offers={({ id: offered }) => offered !== id}
            value={null}
            onChange={(chosen) => chosen && choose(chosen.id)}
          />
        </div>
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </Page>
  );
}

function steps(device: Device | undefined) {
  const home = { label: messages.nav.home, to: '/' };
  return device ? [home, { label: messages.nav.devices, to: `/devices/${device.account.id}` }] : [home];
}
