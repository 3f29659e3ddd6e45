import { Button, CopyButton, Table } from '@mantine/core';
import { IconFilter, IconLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AuditEvent } from '../../lib/api/types.ts';
import { audit as text } from '../../lib/messages/audit.ts';
import { Copied } from '../../ui/Copied.tsx';
import classes from './audit.module.css';
import type { AuditFilterChange } from './useAuditFilters.ts';
import { detailText, fieldText, valueText } from './values.ts';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** The page of one event. */
const eventPath = ({ id }: Pick<AuditEvent, 'id'>): string => `/audit/${id}`;

/** Everything that is recorded of an event. */
export function EventDetails({
  event,
  onFilter,
}: {
  event: AuditEvent;
  onFilter?: (change: AuditFilterChange) => void;
}) {
  return (
    <>
      <Changes changes={event.changes} />
      <dl className={classes.facts}>
        {factsOf(event).map(([label, value, copies]) => (
          <div key={label} className={classes.fact}>
            <dt>{label}</dt>
            <dd>{copies ? <Copied label={label} value={value} /> : value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.acts}>
        <CopyButton value={new URL(eventPath(event), window.location.href).href} timeout={2_000}>
          {({ copied, copy }) => (
            <Act icon={<IconLink size={14} aria-hidden />} label={copied ? text.copied : text.copyLink} act={copy} />
          )}
        </CopyButton>
        {onFilter ? <Filters event={event} onFilter={onFilter} /> : null}
        <SubjectLink event={event} />
      </div>
    </>
  );
}

function Filters({ event, onFilter }: { event: AuditEvent; onFilter: (change: AuditFilterChange) => void }) {
  const { actor, target, requestId } = event;
  const who = actor.email || actor.id;
  const icon = <IconFilter size={14} aria-hidden />;
  return (
    <>
      {who ? <Act icon={icon} label={text.onlyActor} act={() => onFilter({ actor: who })} /> : null}
      {target?.id ? <Act icon={icon} label={text.onlyTarget} act={() => onFilter({ target: target.id })} /> : null}
      {requestId ? <Act icon={icon} label={text.onlyRequest} act={() => onFilter({ request: requestId })} /> : null}
    </>
  );
}

function Act({ icon, label, act }: { icon: ReactNode; label: string; act: () => void }) {
  return (
    <Button size="compact-xs" variant="default" leftSection={icon} onClick={act}>
      {label}
    </Button>
  );
}

/** Pages of what actions are about, by kind. */
const PAGES: Readonly<Record<string, string>> = { device: 'devices', user: 'users', group: 'groups' };

function SubjectLink({ event: { account, target } }: { event: AuditEvent }) {
  const page = target && PAGES[target.kind];
  if (!page || !target.id) return null;
  return (
    <Button component={Link} to={`/${page}/${account.id}/${target.id}`} size="compact-xs" variant="default">
      {text.openTarget(target.name || target.id)}
    </Button>
  );
}

/** What differs, with both sides. */
function Changes({ changes }: Pick<AuditEvent, 'changes'>) {
  if (changes.length === 0) return null;
  return (
    <Table aria-label={text.changes} className={classes.changes}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{text.field}</Table.Th>
          <Table.Th scope="col">{text.before}</Table.Th>
          <Table.Th scope="col">{text.after}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ field, before, after, hidden }) => (
          <Table.Tr key={field}>
            <Table.Th scope="row">{fieldText(field)}</Table.Th>
            <Table.Td data-side="before">{hidden ? text.hidden : valueText(before)}</Table.Td>
            <Table.Td data-side="after">{hidden ? text.hidden : valueText(after)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

type Fact = [label: string, value: string, copies?: boolean];

/** What is known, with its label; ids and addresses can be copied. */
function factsOf(event: AuditEvent): Fact[] {
  const { actor, target, account } = event;
  const facts: Fact[] = [
    [text.time, exact.format(Date.parse(event.time))],
    [text.actor, [text.actors[actor.kind], actor.name, actor.email].filter(Boolean).join(', ')],
    [text.account, account.name],
    [text.target, target ? [fieldText(target.kind), target.name].filter(Boolean).join(', ') : ''],
    [text.targetId, target?.id ?? '', true],
    [text.outcome, text.outcomes[event.outcome]],
    [text.reason, event.reason],
    ...Object.entries(event.details).map(([name, value]): Fact => [fieldText(name), detailText(name, value)]),
    [text.address, event.address, true],
    [text.userAgent, event.userAgent],
    [text.grant, event.grant, true],
    [text.requestId, event.requestId, true],
    [text.id, event.id, true],
  ];
  return facts.filter(([, value]) => value !== '');
}
