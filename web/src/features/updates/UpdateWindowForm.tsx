import { Alert, Button, Checkbox, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { timeOfDay, WEEKDAYS } from '@warren/rules/updates';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import type { UpdateWindow } from '../../lib/api/types.ts';
import { updatesApi } from '../../lib/api/updates.ts';
import { updateWindow as text } from '../../lib/messages/update-window.ts';
import { succeeded } from '../../lib/toast.ts';

/** A night at the weekend, in this browser's time zone. */
const proposed = (): UpdateWindow => ({
  days: ['sat', 'sun'],
  from: '02:00',
  to: '05:00',
  time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});

interface FormProps {
  account: string;
  /** The current window; null for always. */
  window: UpdateWindow | null;
  readOnly: boolean;
}

/** Edits the window of an account. */
export function UpdateWindowForm({ account, window, readOnly }: FormProps) {
  const [save, state] = updatesApi.useSetUpdateWindowMutation();
  const [limited, setLimited] = useState(window !== null);
  const [typed, setTyped] = useState(window ?? proposed);
  const wanted = limited ? typed : null;
  const changed = JSON.stringify(wanted) !== JSON.stringify(window);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!changed || (limited && isWrong(typed))) return;
    const answer = await save({ id: account, setUpdateWindow: { window: wanted } });
    if (!answer.error) succeeded(text.saved, text.savedDetail);
  };
  return (
    <form noValidate data-unsent={changed || undefined} onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        {state.error ? (
          <Alert color="red" variant="light" role="alert">
            {errorText(state.error, text.saveFailed)}
          </Alert>
        ) : null}
        <SegmentedControl
          aria-label={text.title}
          disabled={readOnly}
          value={limited ? 'window' : 'always'}
          onChange={(value) => setLimited(value === 'window')}
          data={[
            { value: 'always', label: text.anyTime },
            { value: 'window', label: text.inWindow },
          ]}
        />
        {limited ? <Times value={typed} readOnly={readOnly} onChange={setTyped} /> : null}
        {readOnly ? (
          <Text c="dimmed">{text.readOnly}</Text>
        ) : (
          <Button
            type="submit"
            disabled={!changed || (limited && isWrong(typed))}
            loading={state.isLoading}
            style={{ alignSelf: 'flex-start' }}
          >
            {text.save}
          </Button>
        )}
      </Stack>
    </form>
  );
}

const isTime = (value: string) => timeOfDay.safeParse(value).success;

const isWrong = ({ days, from, to }: UpdateWindow) => days.length === 0 || !isTime(from) || !isTime(to);

interface TimesProps {
  value: UpdateWindow;
  readOnly: boolean;
  onChange: (value: UpdateWindow) => void;
}

function Times({ value, readOnly, onChange }: TimesProps) {
  const { days, from, to, time_zone: zone } = value;
  const time = (name: 'from' | 'to') => (
    <TextInput
      type="time"
      label={text[name]}
      disabled={readOnly}
      value={value[name]}
      error={isTime(value[name]) ? undefined : text.timeMissing}
      onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Checkbox.Group
        label={text.days}
        description={text.daysNote}
        value={days}
        error={days.length === 0 ? text.dayMissing : undefined}
        onChange={(names) => onChange({ ...value, days: WEEKDAYS.filter((day) => names.includes(day)) })}
      >
        <Group gap="md" my={8}>
          {WEEKDAYS.map((day) => (
            <Checkbox key={day} value={day} label={text.day[day]} disabled={readOnly} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group gap="md" align="flex-start">
        {time('from')}
        {time('to')}
      </Group>
      {isTime(from) && isTime(to) && to <= from ? (
        <Text c="dimmed">{to === from ? text.wholeDay : text.overnight(to)}</Text>
      ) : null}
      <Select
        searchable
        label={text.timeZone}
        description={text.timeZoneNote}
        data={timeZones(zone)}
        value={zone}
        allowDeselect={false}
        disabled={readOnly}
        nothingFoundMessage={text.noTimeZone}
        onChange={(name) => (name ? onChange({ ...value, time_zone: name }) : undefined)}
      />
    </>
  );
}

/** The time zones that this browser knows, UTC, and the current one. */
const timeZones = (present: string): string[] =>
  [...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])].sort();
