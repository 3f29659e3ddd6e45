import { Checkbox, Fieldset, Select, Stack, Switch } from '@mantine/core';
import { ACCESS_REQUEST_LIMITS } from '@warren/rules/access-requests';
import { TERMINAL_LIMITS } from '@warren/rules/terminals';
import { useState } from 'react';
import { errorText } from '../../../lib/api/errors.ts';
import type { AccessRules } from '../../../lib/api/types.ts';
import { peopleApi } from '../../../lib/api/people.ts';
import { requestsApi } from '../../../lib/api/requests.ts';
import { accessRequests } from '../../../lib/messages/access-requests.ts';
import { durationsUpTo } from '../../../lib/request-durations.ts';
import { succeeded } from '../../../lib/toast.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';

const text = accessRequests.rules;
const MANAGERS = 'managers';
const RECENT = [5, 10, 15, 30, 60, 240, 480, 1_440];
const PIN_DAYS = [0, 1, 3, TERMINAL_LIMITS.defaultPinDays, 14, TERMINAL_LIMITS.pinDays];
const SWITCHES = ['terminals', 'manage', 'grants'] as const;

interface RulesFormProps {
  account: string;
  rules: AccessRules;
  onClose: () => void;
}

/** Changes the rules of an account about access requests and recent sign-ins. */
export function RulesForm({ account, rules, onClose }: RulesFormProps) {
  const [save, saving] = requestsApi.useSetAccessRulesMutation();
  const { data } = peopleApi.useListGroupNamesQuery({ account });
  const { approver_group_name: _name, ...present } = rules;
  const [draft, setDraft] = useState(present);
  const set = (part: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...part }));
  const { recent_sign_in: recent } = draft;
  const confirm = async () => {
    const answer = await save({ id: account, setAccessRules: draft });
    if (answer.error) return;
    onClose();
    succeeded(text.edited, text.editedDetail);
  };
  const groups = (data?.groups ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <DialogForm
      problem={saving.error && errorText(saving.error, text.editFailed)}
      confirm={text.editConfirm}
      busy={saving.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Switch
        data-autofocus
        label={text.requests}
        checked={draft.requests}
        onChange={(event) => set({ requests: event.currentTarget.checked })}
      />
      <Select
        label={text.longestLabel}
        data={withPresent(durationsUpTo(ACCESS_REQUEST_LIMITS.longest), draft.longest_minutes)}
        value={String(draft.longest_minutes)}
        allowDeselect={false}
        onChange={(value) => set({ longest_minutes: Number(value) })}
      />
      <Select
        label={text.approvers}
        data={[{ value: MANAGERS, label: text.managers }, ...groups]}
        value={draft.approver_group ?? MANAGERS}
        allowDeselect={false}
        onChange={(value) => set({ approver_group: value === MANAGERS ? null : value })}
      />
      <Checkbox
        label={text.secondLabel}
        checked={draft.second_approver}
        onChange={(event) => set({ second_approver: event.currentTarget.checked })}
      />
      <Switch
        label={text.guestLinks}
        description={text.guestLinksHelp}
        checked={draft.guest_links ?? false}
        onChange={(event) => set({ guest_links: event.currentTarget.checked })}
      />
      <Select
        label={text.pinDays}
        description={text.pinDaysHelp}
        data={pinOptions(draft.terminal_pin_days)}
        value={String(draft.terminal_pin_days)}
        allowDeselect={false}
        onChange={(value) => set({ terminal_pin_days: Number(value) })}
      />
      <Switch
        label={text.observe}
        description={text.observeHelp}
        checked={draft.observe_terminals}
        onChange={(event) => set({ observe_terminals: event.currentTarget.checked })}
      />
      <Fieldset legend={text.recentTitle}>
        <Stack gap="sm">
          {SWITCHES.map((name) => (
            <Checkbox
              key={name}
              label={text[name]}
              checked={recent[name]}
              onChange={(event) => set({ recent_sign_in: { ...recent, [name]: event.currentTarget.checked } })}
            />
          ))}
          <Select
            label={text.recentMinutes}
            description={text.recentHelp}
            data={withPresent(RECENT.map(optionOf), recent.minutes)}
            value={String(recent.minutes)}
            allowDeselect={false}
            onChange={(value) => set({ recent_sign_in: { ...recent, minutes: Number(value) } })}
          />
        </Stack>
      </Fieldset>
    </DialogForm>
  );
}

const optionOf = (minutes: number) => ({ value: String(minutes), label: accessRequests.duration(minutes) });

function pinOptions(present: number) {
  const days = [...new Set([...PIN_DAYS, present])].sort((one, other) => one - other);
  return days.map((count) => ({ value: String(count), label: text.pinDaysOption(count) }));
}

/** A value that was set through the API need not be among the options. */
function withPresent(options: { value: string; label: string }[], minutes: number) {
  const known = options.some(({ value }) => value === String(minutes));
  return known
    ? options
    : [...options, optionOf(minutes)].sort((one, other) => Number(one.value) - Number(other.value));
}
