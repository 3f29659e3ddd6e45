import { Skeleton, Table, Text, Title } from '@mantine/core';
import { accessApi } from '../../lib/api/access.ts';
import { access } from '../../lib/messages/access.ts';
import { Failure } from '../../ui/Failure.tsx';

const text = access.person;

/** What a user can reach, and by which grants. */
export function UserReach({ id }: { id: string }) {
  const { currentData: reach, error, refetch } = accessApi.useGetUserAccessQuery({ id });
  return (
    <section aria-label={text.title}>
      <Title order={2} size="h4" mt="lg" mb={8}>
        {text.title}
      </Title>
      {error && !reach ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : reach ? (
        <>
          <Text mb={8}>
            {reach.restricted ? text.restricted(reach.devices, reach.total) : text.byRole(reach.role, reach.total)}
          </Text>
          {reach.grants.length === 0 ? (
            <Text c="dimmed">{text.noGrants}</Text>
          ) : (
            <Table aria-label={text.title} maw={820}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{text.columns.grant}</Table.Th>
                  <Table.Th>{access.columns.permissions}</Table.Th>
                  <Table.Th>{text.columns.devices}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {reach.grants.map((grant) => (
                  <Table.Tr key={grant.id}>
                    <Table.Td>{grant.subject.name || access.everyone}</Table.Td>
                    <Table.Td>{grant.permissions.map((name) => access.short[name]).join(', ')}</Table.Td>
                    <Table.Td>{`${grant.filter || access.allDevices}: ${text.finds(grant.devices)}`}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </>
      ) : (
        <Skeleton height={80} maw={640} />
      )}
    </section>
  );
}
