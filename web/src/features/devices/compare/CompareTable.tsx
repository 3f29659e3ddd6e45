import { Anchor, Switch, Table } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Device } from '../../../lib/api/types.ts';
import { devicePath } from '../../../lib/device-access.ts';
import { compare as text } from '../../../lib/messages/compare.ts';
import { Presence } from '../../../ui/Presence.tsx';
import { comparedFacts, namesOf } from './compared.ts';
import classes from './ComparePage.module.css';

/** The facts of two devices; a mark and a word are at those that differ. */
export function CompareTable({ one, other }: { one: Device; other: Device }) {
  const [only, setOnly] = useState(false);
  const facts = comparedFacts(one, other);
  const names = namesOf(one, other);
  const differing = facts.filter(({ differs }) => differs);
  return (
    <section>
      <div className={classes.bar}>
        <p className={classes.count} role="status">
          {text.count(differing.length)}
        </p>
        <Switch
          size="xs"
          label={text.onlyDifferences}
          checked={only}
          onChange={(event) => setOnly(event.currentTarget.checked)}
        />
      </div>
      <Table aria-label={text.table} className={classes.table} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={classes.fact}>
              {text.fact}
            </Table.Th>
            {[one, other].map((device, index) => (
              <Table.Th key={device.id} scope="col">
                <Anchor component={Link} to={devicePath(device)} size="sm" fw={600}>
                  {names[index]}
                </Anchor>
                <div className={classes.presence}>
                  <Presence device={device} withSince />
                </div>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(only ? differing : facts).map(({ id, label, values, differs }) => (
            <Table.Tr key={id} data-differs={differs || undefined} className={classes.row}>
              <Table.Th scope="row" className={classes.fact}>
                {label}
                {differs ? (
                  <span className={classes.differs}>
                    <IconArrowsDiff size={13} aria-hidden />
                    {text.differs}
                  </span>
                ) : null}
              </Table.Th>
              <Table.Td>{values[0]}</Table.Td>
              <Table.Td>{values[1]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
