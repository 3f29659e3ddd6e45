import { Anchor, Skeleton, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { updatesApi } from '../../lib/api/updates.ts';
import { updates as text } from '../../lib/messages/updates.ts';
import { Failure } from '../../ui/Failure.tsx';
import { ListFooter } from '../../ui/ListFooter.tsx';
import { When } from '../../ui/When.tsx';
import classes from './UpdatesPage.module.css';

const LIMIT = 20;

/** The devices that a rollout was offered to, those that failed first, each with why. */
export function RolloutDevices({ id }: { id: string }) {
  const [page, setPage] = useState(1);
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
            {[text.name, text.became, text.from, text.why, text.since].map((label) => (
              <Table.Th key={label} scope="col">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.devices.map((device) => (
            <Table.Tr key={device.id}>
              <Table.Td>
                <Anchor component={Link} to={`/device/ssh/${device.id}`}>
                  {device.name}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {device.account.name}
                </Text>
              </Table.Td>
              <Table.Td c={device.state === 'failed' ? 'var(--state-bad)' : undefined}>
                {text.device[device.state]}
              </Table.Td>
              <Table.Td className="mono">{device.from}</Table.Td>
              <Table.Td>{device.why || '–'}</Table.Td>
              <Table.Td>
                <When at={device.since} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ListFooter total={data.total} page={page} limit={LIMIT} onPage={setPage} />
    </div>
  );
}
