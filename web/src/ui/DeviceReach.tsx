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
      <Table aria-label={text.title} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.columns.person}</Table.Th>
            <Table.Th visibleFrom="sm">{text.columns.may}</Table.Th>
            <Table.Th visibleFrom="sm">{text.columns.why}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...data.people, ...(page === 1 ? data.service_accounts : [])].map((person) => (
            <Row
              key={person.id}
              who={nameOf(person)}
              may={mayText(person.rights)}
              why={reasonsOf(person, data.grants)}
            />
          ))}
          {(page === 1 ? data.operators : []).map((one) => (
            <Row
              key={one.role}
              who={text.operators(one.role, one.users, one.service_accounts)}
              may={mayText(one.rights)}
              why={[text.byOperator(one.role)]}
            />
          ))}
        </Table.Tbody>
      </Table>
      <ListFooter total={data.total} page={page} limit={LIMIT} onPage={setPage} />
    </>
  );
}

/** One line of the table; on a phone all of it is below the name. */
function Row({ who, may, why }: { who: string; may: string; why: readonly string[] }) {
  const reasons = why.map((reason) => <div key={reason}>{reason}</div>);
  return (
    <Table.Tr>
      <Table.Td>
        {who}
        <Text hiddenFrom="sm" size="xs" c="dimmed" component="div">
          <div>{may}</div>
          {reasons}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{may}</Table.Td>
      <Table.Td visibleFrom="sm">{reasons}</Table.Td>
    </Table.Tr>
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
