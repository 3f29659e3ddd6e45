import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { peopleApi } from '../../lib/api/people.ts';
import { tokensApi } from '../../lib/api/tokens.ts';
import { access as text } from '../../lib/messages/access.ts';
import type { GrantDraft } from './grant-form.ts';

const PAUSE_MS = 300;

interface SubjectPickerProps {
  account: string;
  draft: GrantDraft;
  missing: boolean;
  onChange: (part: Partial<GrantDraft>) => void;
}

/** Chooses whom a grant names: everyone, a group, a person or a service account of the account. */
export function SubjectPicker(props: SubjectPickerProps) {
  const { draft, onChange } = props;
  return (
    <>
      <Select
        data-autofocus
        openOnFocus={false}
        label={text.subject}
        data={Object.entries(text.subjects).map(([value, label]) => ({ value, label }))}
        value={draft.kind}
        allowDeselect={false}
        onChange={(kind) => onChange({ kind: kind as GrantDraft['kind'], subject: null })}
      />
      {draft.kind === 'group' ? <GroupPicker {...props} /> : null}
      {draft.kind === 'user' ? <UserPicker {...props} /> : null}
      {draft.kind === 'service_account' ? <ProgramPicker {...props} /> : null}
    </>
  );
}

function GroupPicker({ account, draft, missing, onChange }: SubjectPickerProps) {
  const { data } = peopleApi.useListGroupNamesQuery({ account });
  return (
    <Select
      required
      searchable
      label={text.group}
      data={(data?.groups ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={draft.subject}
      error={missing ? text.pick : undefined}
      nothingFoundMessage={text.noMatch}
      onChange={(subject) => onChange({ subject })}
    />
  );
}

function ProgramPicker({ account, draft, missing, onChange }: SubjectPickerProps) {
  const { data } = tokensApi.useListServiceAccountsQuery({ id: account });
  return (
    <Select
      required
      searchable
      label={text.serviceAccount}
      data={(data?.service_accounts ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={draft.subject}
      error={missing ? text.pick : undefined}
      nothingFoundMessage={text.noMatch}
      onChange={(subject) => onChange({ subject })}
    />
  );
}

function UserPicker({ account, draft, missing, onChange }: SubjectPickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, PAUSE_MS);
  const { data } = api.useListUsersQuery({ account, search, limit: 50 });
  const people = data?.users ?? [];
  return (
    <Select
      required
      searchable
      label={text.user}
      data={people.map(({ id, name, email }) => ({ value: id, label: name ? `${name} (${email})` : email }))}
      value={draft.subject}
      error={missing ? text.pick : undefined}
      nothingFoundMessage={text.noMatch}
      // The hub searches all people of the account, of whom the first are here.
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(text.replace(/ \(.*$/, ''))}
      onChange={(subject) => onChange({ subject })}
    />
  );
}
