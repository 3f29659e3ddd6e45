import { Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { GRANT_LIMITS, GRANT_PERMISSIONS } from '@warren/rules/grants';
import { useState } from 'react';
import { accessApi } from '../../lib/api/access.ts';
import { formProblem } from '../../lib/api/field-problem.ts';
import type { Grant } from '../../lib/api/types.ts';
import { hubNow } from '../../lib/clock.ts';
import { access as text } from '../../lib/messages/access.ts';
import { succeeded } from '../../lib/toast.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { FilterField } from '../../ui/filter/FilterField.tsx';
import { useKnownValues, useReferable } from '../../ui/filter/useKnownValues.ts';
import { FilterCount } from '../../ui/filter/FilterCount.tsx';
import { draftOf, expiryOf, filterProblem, fitsGrants, subjectBody, type GrantDraft } from './grant-form.ts';
import { subjectOf } from './grant-text.ts';
import { SubjectPicker } from './SubjectPicker.tsx';

interface GrantFormProps {
  account: string;
  /** The grant to change; a new one without it. */
  grant?: Grant;
  onClose: () => void;
}

/** Creates a grant, or changes all of one but its subject. */
export function GrantForm({ account, grant, onClose }: GrantFormProps) {
  const [create, creation] = accessApi.useCreateGrantMutation();
  const [update, change] = accessApi.useUpdateGrantMutation();
  const [draft, setDraft] = useState(() => draftOf(grant));
  const [tried, setTried] = useState(false);
  const known = useReferable(account, useKnownValues(account, undefined, true), { wanted: true, fits: fitsGrants });
  const set = (part: Partial<GrantDraft>) => setDraft((now) => ({ ...now, ...part }));
  const expires = expiryOf(draft, hubNow());
  const subject = subjectBody(draft);
  const problem = filterProblem(draft.filter);
  const confirm = async () => {
    setTried(true);
    if (!subject || problem !== undefined || expires === undefined) return;
    const { permissions, filter, note } = draft;
    const content = { permissions, filter: filter.trim(), expires, note: note.trim() };
    const answer = grant
      ? await update({ id: account, grant: grant.id, updateGrant: content })
      : await create({ id: account, createGrant: { subject, ...content } });
    if (answer.error) return;
    onClose();
    succeeded(grant ? text.edited : text.created, text.changedDetail(subjectOf(answer.data.result)));
  };
  const refused = formProblem(grant ? change.error : creation.error, {
    field: 'filter',
    fallback: grant ? text.editFailed : text.createFailed,
  });
  return (
    <DialogForm
      problem={refused.above}
      confirm={grant ? text.editConfirm : text.createConfirm}
      busy={creation.isLoading || change.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {grant ? (
        <TextInput readOnly label={text.subject} value={subjectOf(grant)} />
      ) : (
        <SubjectPicker account={account} draft={draft} missing={tried && !subject} onChange={set} />
      )}
      <Permissions value={draft.permissions} onChange={(permissions) => set({ permissions })} />
      <div>
        <FilterField
          label={text.devices}
          description={text.devicesHelp}
          placeholder={text.allDevices}
          value={draft.filter}
          known={known}
          problem={refused.atField ?? (tried ? problem : undefined)}
          onChange={(filter) => {
            creation.reset();
            change.reset();
            set({ filter });
          }}
        />
        <FilterCount account={account} filter={draft.filter} isWrong={(problem ?? refused.atField) !== undefined} />
      </div>
      <Expiry draft={draft} wrong={tried && expires === undefined} onChange={set} />
      <TextInput
        label={text.note}
        description={text.noteHelp}
        maxLength={GRANT_LIMITS.note}
        value={draft.note}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
    </DialogForm>
  );
}

interface PermissionsProps {
  value: Grant['permissions'];
  onChange: (value: Grant['permissions']) => void;
}

function Permissions({ value, onChange }: PermissionsProps) {
  const names = GRANT_PERMISSIONS.filter((name) => name !== 'view');
  return (
    <Checkbox.Group
      label={text.may}
      description={text.mayHelp}
      value={value}
      onChange={(chosen) => onChange(GRANT_PERMISSIONS.filter((name) => name === 'view' || chosen.includes(name)))}
    >
      <Stack gap="xs" mt={8}>
        {names.map((name) => (
          <Checkbox key={name} value={name} label={text.permissions[name]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface ExpiryProps {
  draft: GrantDraft;
  wrong: boolean;
  onChange: (part: Partial<GrantDraft>) => void;
}

function Expiry({ draft, wrong, onChange }: ExpiryProps) {
  return (
    <Group gap="sm" align="flex-start" grow>
      <Select
        label={text.expires}
        data={Object.entries(text.expiries).map(([value, label]) => ({ value, label }))}
        value={draft.expiry}
        allowDeselect={false}
        onChange={(expiry) => onChange({ expiry: expiry as GrantDraft['expiry'] })}
      />
      {draft.expiry === 'at' ? (
        <TextInput
          type="datetime-local"
          label={text.at}
          value={draft.at}
          error={wrong ? text.atWrong : undefined}
          onChange={(event) => onChange({ at: event.currentTarget.value })}
        />
      ) : null}
    </Group>
  );
}
