import { Checkbox, Group, Select, Stack, Switch, TextInput } from '@mantine/core';
import { channels as text } from '../../../lib/messages/channels.ts';
import { usualQuiet, type QuietHours } from './channel-form.ts';

interface QuietProps {
  quiet: QuietHours | null;
  problems: { from?: string; to?: string };
  onChange: (quiet: QuietHours | null) => void;
}

/** The hours of the day in which a channel rests. */
export function Quiet({ quiet, problems, onChange }: QuietProps) {
  const time = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="time"
      label={label}
      value={quiet?.[name] ?? ''}
      error={problems[name]}
      onChange={(event) => (quiet ? onChange({ ...quiet, [name]: event.currentTarget.value }) : undefined)}
    />
  );
  return (
    <Stack gap="sm">
      <Switch
        label={text.quiet}
        checked={quiet !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usualQuiet() : null)}
      />
      {quiet ? (
        <>
          <Group gap="sm" align="flex-start">
            {time('from', text.quietFrom)}
            {time('to', text.quietTo)}
            <Select
              searchable
              flex={1}
              miw={160}
              label={text.zone}
              data={zones(quiet.zone)}
              value={quiet.zone}
              allowDeselect={false}
              nothingFoundMessage={text.noZone}
              onChange={(zone) => (zone ? onChange({ ...quiet, zone }) : undefined)}
            />
          </Group>
          <Checkbox
            label={text.exceptCritical}
            checked={quiet.exceptCritical}
            onChange={(event) => onChange({ ...quiet, exceptCritical: event.currentTarget.checked })}
          />
        </>
      ) : null}
    </Stack>
  );
}

/** The time zones that this browser knows, UTC, and the present one. */
const zones = (present: string): string[] =>
  [...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])].sort();
