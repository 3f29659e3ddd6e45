import { Button, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { RECORDING_KINDS } from '@warren/rules/recordings/settings';
import { recordings as text } from '../../../lib/messages/recordings.ts';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { TextFilter } from '../../../ui/TextFilter.tsx';
import { TimeFilter } from '../../../ui/TimeFilter.tsx';
import classes from './list.module.css';
import { STATES, type RecordingFilterChange, type RecordingFilters } from './useRecordingFilters.ts';

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
        <>
          <Choice
            label={text.kind}
            any={text.anyKind}
            options={RECORDING_KINDS.map((value) => ({ value, label: text.kinds[value] }))}
            value={filters.kind}
            onChange={(kind) => onChange({ kind })}
          />
          <Choice
            label={text.state}
            any={text.states.any}
            options={STATES.map((value) => ({ value, label: text.states[value] }))}
            value={filters.state}
            onChange={(state) => onChange({ state })}
          />
        </>
      )}
      {views ? (
        <TextFilter
          label={text.person}
          placeholder={text.personPlaceholder}
          className={classes.choice}
          value={filters.person ?? ''}
          onChange={(person) => onChange({ person })}
        />
      ) : null}
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

interface ChoiceProps {
  label: string;
  any: string;
  options: { value: string; label: string }[];
  value: string | null;
  onChange: (value: string | null) => void;
}

function Choice({ label, any, options, value, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      className={classes.choice}
      data={[{ value: ANY, label: any }, ...options]}
      value={value ?? ANY}
      allowDeselect={false}
      checkIconPosition="right"
      onChange={onChange}
    />
  );
}
