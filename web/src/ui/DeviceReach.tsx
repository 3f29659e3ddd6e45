import { Button, Skeleton, Table, Text, Title } from '@mantine/core';
import { IconShieldSearch } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { accessApi } from '../lib/api/access.ts';
import type { Device, DeviceReach as Reach, DeviceRight } from '../lib/api/types.ts';
import { time } from '../lib/format.ts';
import { access } from '../lib/messages/access.ts';
import { Failure } from './Failure.tsx';
import { ListFooter } from './ListFooter.tsx';
import { part } from './part.tsx';

const GuestReach = part(async () => (await import('./guest-links/GuestReach.tsx')).GuestReach);
const text = access.reach;
const LIMIT = 20;

/** Who of its account can reach a device, and why; asked for when somebody wants to know. */
export function DeviceReach({ device }: { device: Device }) {
  const [shown, setShown] = useState(false);
  return (
    <section aria-label={text.title}>
      <Title order={2} size="h4" mb={8}>
        {text.title}
      </Title>
      {shown ? (
        <>
          <People id={device.id} />
          <Suspense>
            <GuestReach device={device} />
          </Suspense>
        </>
      ) : (
        <Button
          variant="default"
          leftSection={<IconShieldSearch size={16} aria-hidden />}
          onClick={() => setShown(true)}
        >
          {text.show}
        </Button>
      )}
    </section>
  );
}

function People({ id }: { id: string }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = accessApi.useGetDeviceAccessQuery({ id, page, limit: LIMIT });
  if (error && !data) return <Failure title={text.failed} error={error} retry={refetch} />;
  if (!data) return <Skeleton height={160} />;
  return (
    <>
      <Text c="dimmed" mb={8}>
        {text.lead}
      </Text>
      <Table aria-label={text.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.columns.person}</Table.Th>
            <Table.Th>{text.columns.may}</Table.Th>
            <Table.Th>{text.columns.why}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...data.people, ...(page === 1 ? data.service_accounts : [])].map((person) => (
            <Table.Tr key={person.id}>
              <Table.Td>{nameOf(person)}</Table.Td>
              <Table.Td>{mayText(person.rights)}</Table.Td>
              <Table.Td>
                {reasonsOf(person, data.grants).map((reason) => (
                  <div key={reason}>{reason}</div>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
          {(page === 1 ? data.operators : []).map((one) => (
            <Table.Tr key={one.role}>
              <Table.Td>{text.operators(one.role, one.users, one.service_accounts)}</Table.Td>
              <Table.Td>{mayText(one.rights)}</Table.Td>
              <Table.Td>{text.byOperator(one.role)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ListFooter total={data.total} page={page} limit={LIMIT} onPage={setPage} />
    </>
  );
}

function nameOf(one: Reach['people'][number] | Reach['service_accounts'][number]): string {
  return 'email' in one ? one.name || one.email : access.program(one.name);
}

const mayText = (rights: readonly DeviceRight[]) =>
  rights.map(({ permission }) => access.short[permission]).join(', ') || text.none;

/** The reasons for what somebody may do, each once. */
function reasonsOf(
  { role, rights }: Pick<Reach['people'][number], 'role' | 'rights'>,
  grants: Reach['grants'],
): string[] {
  return [...new Set(rights.map((right) => reasonOf(right, role, grants)))];
}

function reasonOf({ by, grant: id, until }: DeviceRight, role: string, grants: Reach['grants']): string {
  if (by === 'role') return text.byRole(role);
  const grant = grants.find((one) => one.id === id);
  const who = grant?.subject.kind === 'everyone' ? access.everyone : grant?.subject.name;
  const what = grant ? `${who}, ${grant.filter || access.allDevices}` : '–';
  const reason = grant?.source === 'request' ? text.byRequest(what) : text.byGrant(what);
  return until === null ? reason : `${reason} ${text.until(time(until))}`;
}
