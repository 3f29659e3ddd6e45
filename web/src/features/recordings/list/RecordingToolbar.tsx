import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { recordings as text } from '../../../lib/messages/recordings.ts';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { TimeFilter } from '../../../ui/TimeFilter.tsx';
import classes from './list.module.css';
import { STATES, type RecordingFilterChange, type RecordingFilters } from './useRecordingFilters.ts';

const PAUSE_MS = 400;
/** The choice that filters nothing. */
const ANY = '';

interface RecordingToolbarProps {
  filters: RecordingFilters;
  /** Hits are shown in place of sessions. */
  isSearch: boolean;
  /** Its recordings can be viewed: searched, and those of all people. */
  views: boolean;
  /** The name of the device that alone is shown, once it is known. */
  deviceName: string | undefined;
  onChange: (change: RecordingFilterChange) => void;
}

/** Which sessions are shown, and what is searched for in them. */
export function RecordingToolbar({ filters, isSearch, views, deviceName, onChange }: RecordingToolbarProps) {
  return (
    <div className={classes.toolbar}>
      {views ? (
        <SearchBox label={text.search} value={filters.search} onSearch={(search) => onChange({ search })} />
      ) : null}
      <TimeFilter value={filters} onChange={onChange} />
      {isSearch ? null : (
        <Select
          aria-label={text.state}
          className={classes.choice}
          data={[
            { value: ANY, label: text.states.any },
            ...STATES.map((value) => ({ value, label: text.states[value] })),
          ]}
          value={filters.state ?? ANY}
          allowDeselect={false}
          checkIconPosition="right"
          onChange={(state) => onChange({ state })}
        />
      )}
      {views ? <PersonFilter value={filters.person ?? ''} onChange={(person) => onChange({ person })} /> : null}
      {filters.device ? (
        <Button
          variant="default"
          fw={400}
          className={classes.chip}
          rightSection={<IconX size={14} aria-hidden />}
          title={text.dropDevice}
          onClick={() => onChange({ device: null })}
        >
          {text.deviceChip(deviceName ?? text.oneDevice)}
        </Button>
      ) : null}
    </div>
  );
}

function PersonFilter({ value, onChange }: { value: string; onChange: (person: string) => void }) {
  const [typed, setTyped] = useState(value);
  const later = useDebouncedCallback((person: string) => onChange(person.trim()), PAUSE_MS);
  useEffect(() => {
    setTyped((now) => (now.trim() === value ? now : value));
  }, [value]);
  return (
    <TextInput
      aria-label={text.person}
      placeholder={text.personPlaceholder}
      className={classes.choice}
      maxLength={200}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}
