import { Select, TextInput } from '@mantine/core';
import { ALERT_LIMITS } from '@warren/rules/alerts';
import { parseReferring } from '@warren/rules/filter/parse';
import { useState } from 'react';
import { alertsApi } from '../../../lib/api/alerts.ts';
import { formProblem } from '../../../lib/api/field-problem.ts';
import { hubNow } from '../../../lib/clock.ts';
import { time } from '../../../lib/format.ts';
import { alertRules, alertSilences as text } from '../../../lib/messages/alerts.ts';
import { succeeded } from '../../../lib/toast.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { FilterField } from '../../../ui/filter/FilterField.tsx';
import { useKnownValues, useReferable } from '../../../ui/filter/useKnownValues.ts';

const HOUR = 3_600_000;
const SPANS = { '1h': HOUR, '4h': 4 * HOUR, '1d': 24 * HOUR, '7d': 168 * HOUR } as const;

type Choice = keyof typeof SPANS | 'until';

/** When a silence ends, in ms since 1970; NaN if that is no time in the future. */
export function endOf(choice: Choice, typed: string, now: number): number {
  if (choice !== 'until') return now + SPANS[choice];
  const end = Date.parse(typed);
  return end > now ? end : NaN;
}

/** Withholds notifications of devices for a time. */
export function SilenceForm({ account, onClose }: { account: string; onClose: () => void }) {
  const [create, state] = alertsApi.useCreateAlertSilenceMutation();
  const [filter, setFilter] = useState('');
  const [choice, setChoice] = useState<Choice>('1h');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const known = useReferable(account, useKnownValues(account, undefined, true), { wanted: true });
  const isWrong = !parseReferring(filter).ok;
  const refused = formProblem(state.error, { field: 'filter', fallback: text.createFailed });
  const end = endOf(choice, typed, hubNow());
  const confirm = async () => {
    setTried(true);
    if (isWrong || reason.trim() === '' || Number.isNaN(end)) return;
    const until = new Date(end).toISOString();
    const answer = await create({ createAlertSilence: { account, filter, until, reason: reason.trim() } });
    if (answer.error) return;
    onClose();
    succeeded(text.created, text.createdDetail(time(until)));
  };
  return (
    <DialogForm
      problem={refused.above}
      confirm={text.createConfirm}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <FilterField
        label={text.devices}
        description={text.devicesHelp}
        placeholder={alertRules.allDevices}
        value={filter}
        known={known}
        problem={refused.atField ?? (tried && isWrong ? alertRules.wrongFilter : undefined)}
        onChange={(next) => {
          state.reset();
          setFilter(next);
        }}
      />
      <Select
        label={text.for}
        data={Object.entries(text.spans).map(([value, label]) => ({ value, label }))}
        value={choice}
        allowDeselect={false}
        onChange={(value) => setChoice(value as Choice)}
      />
      {choice === 'until' ? (
        <TextInput
          type="datetime-local"
          label={text.until}
          value={typed}
          error={tried && Number.isNaN(end) ? text.untilWrong : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
      <TextInput
        required
        label={text.reason}
        description={text.reasonHelp}
        maxLength={ALERT_LIMITS.reason}
        value={reason}
        error={tried && reason.trim() === '' ? text.reasonMissing : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
