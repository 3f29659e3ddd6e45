import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import type { AuditEvent } from '../../lib/api/types.ts';
import { time } from '../../lib/format.ts';
import { actionText } from '../../lib/messages/audit-actions.ts';
import { audit as text } from '../../lib/messages/audit.ts';
import classes from './audit.module.css';
import { EventDetails } from './EventDetails.tsx';
import type { AuditFilterChange } from './useAuditFilters.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

interface AuditRowProps {
  event: AuditEvent;
  isOpen: boolean;
  isCurrent: boolean;
  withAccount: boolean;
  onToggle: (event: AuditEvent) => void;
  onFilter: (change: AuditFilterChange) => void;
}

/** One event: what, on what, by whom and when; its details below once it is opened. */
export function AuditRow({ event, isOpen, isCurrent, withAccount, onToggle, onFilter }: AuditRowProps) {
  const details = useId();
  const action = actionText(event.action);
  // Of a refused operation the action says as much, unless no action has a name for it.
  const target = event.target?.kind === 'operation' && event.action !== 'access.deny' ? undefined : event.target;
  return (
    <li className={classes.event} data-row-key={event.id} data-current={isCurrent || undefined}>
      <UnstyledButton
        className={classes.row}
        aria-expanded={isOpen}
        aria-controls={isOpen ? details : undefined}
        onClick={() => onToggle(event)}
      >
        <IconChevronRight size={16} aria-hidden className={classes.chevron} />
        <time className={classes.time} dateTime={event.time} title={time(event.time)}>
          {clock.format(Date.parse(event.time))}
        </time>
        <span className={classes.what}>
          <span className={classes.action}>{action}</span>
          {target ? <span className={classes.target}> {target.name || target.id}</span> : null}
        </span>
        <OutcomeMark outcome={event.outcome} />
        <span className={classes.actor}>{actorText(event)}</span>
        {withAccount ? <span className={classes.account}>{event.account.name}</span> : null}
        <span className={classes.address}>{event.address}</span>
      </UnstyledButton>
      {isOpen ? (
        <div id={details} className={classes.details}>
          <EventDetails event={event} onFilter={onFilter} />
        </div>
      ) : null}
    </li>
  );
}

/** Who did something: the name, else the kind. */
function actorText({ actor: { kind, name, email, id } }: AuditEvent): string {
  return name || email || (kind === 'user' && id) || text.actors[kind];
}

/** What did not succeed, as a shape with a word. Success, which is usual, shows nothing. */
export function OutcomeMark({ outcome }: Pick<AuditEvent, 'outcome'>) {
  if (outcome === 'success') return <span className={classes.outcome} />;
  const Shape = outcome === 'refused' ? IconBan : IconAlertTriangle;
  return (
    <span className={classes.outcome} data-outcome={outcome}>
      <Shape size={15} aria-hidden />
      {text.outcomes[outcome]}
    </span>
  );
}
