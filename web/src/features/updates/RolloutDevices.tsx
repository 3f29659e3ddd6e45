import { Anchor, Button, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Rollout, RolloutDeviceList } from '../../lib/api/types.ts';
import { updatesApi } from '../../lib/api/updates.ts';
import { updates as text } from '../../lib/messages/updates.ts';
import { failed } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { ListFooter } from '../../ui/ListFooter.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { When } from '../../ui/When.tsx';
import classes from './UpdatesPage.module.css';

const LIMIT = 20;

type Device = RolloutDeviceList['devices'][number];

const COLORS: Partial<Record<Device['state'], string>> = {
  failed: 'var(--state-bad)',
  flapping: 'var(--state-bad)',
  download_failed: 'var(--state-warn)',
};

const RETRIED: readonly Device['state'][] = ['failed', 'flapping', 'download_failed'];

/** The devices of a rollout, failed ones first, each with the reason. */
export function RolloutDevices({ rollout: { id, state, version } }: { rollout: Rollout }) {
  const [page, setPage] = useState(1);
  const hastening = useDialog<Device>();
  const { data, error, refetch } = updatesApi.useListRolloutDevicesQuery({ id, page, limit: LIMIT });
  if (error && !data) return <Failure title={text.devicesFailed} error={error} retry={refetch} />;
  if (!data) return <Skeleton height={120} mt={12} />;
  if (data.total === 0)
    return (
      <Text c="dimmed" mt={12}>
        {text.noDevices}
      </Text>
    );
  return (
    <div className={classes.devices}>
      <Table aria-label={text.name} mt={12}>
        <Table.Thead>
          <Table.Tr>
            {[text.name, text.became].map((label) => (
              <Table.Th key={label} scope="col">
                {label}
              </Table.Th>
            ))}
            {[text.from, text.why, text.since].map((label) => (
              <Table.Th key={label} scope="col" visibleFrom="sm">
                {label}
              </Table.Th>
            ))}
            <Table.Th scope="col">
              <VisuallyHidden>{text.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.devices.map((device) => (
            <Table.Tr key={device.id}>
              <Table.Td className={classes.long}>
                <Anchor component={Link} to={`/device/ssh/${device.id}`}>
                  {device.name}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {device.account.name}
                </Text>
                <Text size="xs" hiddenFrom="sm">
                  {device.why}
                </Text>
              </Table.Td>
              <Table.Td c={COLORS[device.state]}>{text.device[device.state]}</Table.Td>
              <Table.Td className="mono" visibleFrom="sm">
                {device.from}
              </Table.Td>
              <Table.Td className={classes.long} visibleFrom="sm">
                {device.why || '–'}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <When at={device.since} />
              </Table.Td>
              <Table.Td>
                {device.state === 'window' ? (
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={text.nowLabel(device.name)}
                    onClick={() => hastening.open(device)}
                  >
                    {text.now}
                  </Button>
                ) : state === 'rolled_back' ? null : (
                  <Retry id={id} device={device} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ListFooter total={data.total} page={page} limit={LIMIT} onPage={setPage} />
      <Dialog control={hastening} title={text.now}>
        {(device) => <UpdateNow id={id} version={version} device={device} onClose={hastening.close} />}
      </Dialog>
    </div>
  );
}

/** Asks before an update outside the window. */
function UpdateNow({
  id,
  version,
  device,
  onClose,
}: {
  id: string;
  version: string;
  device: Device;
  onClose: () => void;
}) {
  const [begin] = updatesApi.useRetryRolloutDeviceMutation();
  return (
    <Confirmation
      lead={text.nowLead(device.name, version)}
      losses={text.nowLosses}
      confirm={text.now}
      act={() => begin({ id, device: device.id }).unwrap()}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}

function Retry({ id, device }: { id: string; device: Device }) {
  const [retry, { isLoading }] = updatesApi.useRetryRolloutDeviceMutation();
  if (!RETRIED.includes(device.state)) return null;
  const act = () =>
    void retry({ id, device: device.id })
      .unwrap()
      .catch((error: unknown) => failed(error));
  return (
    <Button variant="default" size="xs" loading={isLoading} aria-label={text.retryLabel(device.name)} onClick={act}>
      {text.retry}
    </Button>
  );
}
