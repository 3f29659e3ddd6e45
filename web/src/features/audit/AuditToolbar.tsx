import { Button, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { auditActions } from '../../lib/messages/audit-actions.ts';
import { audit as text } from '../../lib/messages/audit.ts';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { TextFilter } from '../../ui/TextFilter.tsx';
import { TimeFilter } from '../../ui/TimeFilter.tsx';
import classes from './audit.module.css';
import { OUTCOMES, type AuditFilterChange, type AuditFilters } from './useAuditFilters.ts';

/** The choice that filters nothing. */
const ANY = '';

interface AuditToolbarProps {
  filters: AuditFilters;
  /** The name of the target that alone is shown, once it is known. */
  targetName: string | undefined;
  onChange: (change: AuditFilterChange) => void;
  /** Stands beside the filters. */
  children: ReactNode;
}

/** Which events are shown. */
export function AuditToolbar({ filters, targetName, onChange, children }: AuditToolbarProps) {
  return (
    <div className={classes.toolbar}>
      <SearchBox label={text.search} value={filters.search} onSearch={(search) => onChange({ search })} />
      <TimeFilter value={filters} onChange={onChange} />
      <Select
        aria-label={text.action}
        className={classes.choice}
        searchable
        data={actionOptions(filters.action)}
        value={filters.action ?? ANY}
        allowDeselect={false}
        checkIconPosition="right"
        onChange={(action) => onChange({ action })}
      />
      <Select
        aria-label={text.outcome}
        className={classes.choice}
        data={[
          { value: ANY, label: text.anyOutcome },
          ...OUTCOMES.map((value) => ({ value, label: text.outcomes[value] })),
        ]}
        value={filters.outcome ?? ANY}
        allowDeselect={false}
        checkIconPosition="right"
        onChange={(outcome) => onChange({ outcome })}
      />
      <TextFilter
        label={text.actor}
        placeholder={text.actorPlaceholder}
        className={classes.choice}
        value={filters.actor ?? ''}
        onChange={(actor) => onChange({ actor })}
      />
      {filters.target ? (
        <Chip name={text.target} value={targetName ?? text.oneTarget} onDrop={() => onChange({ target: null })} />
      ) : null}
      {filters.request ? (
        <Chip name={text.request} value={filters.request} onDrop={() => onChange({ request: null })} />
      ) : null}
      {children}
    </div>
  );
}

/** All actions in their groups, and each group as a whole. */
function actionOptions(chosen: string | null) {
  const groups = Object.entries(auditActions).map(([group, { title, actions }]) => ({
    group: title,
    items: [
      ...(Object.keys(actions).length > 1 ? [{ value: `${group}.*`, label: text.allOf(title) }] : []),
      ...Object.entries(actions).map(([name, label]) => ({ value: `${group}.${name}`, label })),
    ],
  }));
  const isKnown = !chosen || groups.some(({ items }) => items.some(({ value }) => value === chosen));
  return [
    { value: ANY, label: text.anyAction },
    // As in a link that was written by hand: several, or one of a newer hub.
    ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
    ...groups,
  ];
}

function Chip({ name, value, onDrop }: { name: string; value: string; onDrop: () => void }) {
  return (
    <Button
      variant="default"
      fw={400}
      className={classes.chip}
      rightSection={<IconX size={14} aria-hidden />}
      title={text.dropChip(name)}
      onClick={onDrop}
    >
      {text.chip(name, value)}
    </Button>
  );
}
