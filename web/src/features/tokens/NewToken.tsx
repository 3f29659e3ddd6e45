import { TextInput } from '@mantine/core';
import { filterText } from '@warren/rules/filter/saved';
import { TOKEN_LIMITS } from '@warren/rules/tokens';
import { useState } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import type { ServiceAccount } from '../../lib/api/types.ts';
import { tokensApi } from '../../lib/api/tokens.ts';
import { tokens as text } from '../../lib/messages/tokens.ts';
import { useSession } from '../../lib/session.ts';
import { problemOf } from '../../lib/validate.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { LifeSelect } from '../../ui/tokens/LifeSelect.tsx';
import { PermissionPicker } from './PermissionPicker.tsx';
import { chosen, offered } from './permissions.ts';

const DAYS = [7, 30, 90, 180, TOKEN_LIMITS.days];
const USUAL_DAYS = 90;

interface NewTokenProps {
  /** The service account that the token is for, and its account; the person's own token without them. */
  owner?: ServiceAccount;
  account?: string;
  onClose: () => void;
  onCreated: (secret: string) => void;
}

/** Creates an API token with some of the person's permissions: the person's own, or one of a service account. */
export function NewToken({ owner, account = '', onClose, onCreated }: NewTokenProps) {
  const { permissions } = useSession();
  const own = owner ? permissions.filter((name) => owner.permissions.includes(name)) : permissions;
  const [createOwn, ownState] = tokensApi.useCreateTokenMutation();
  const [createFor, stateFor] = tokensApi.useCreateServiceAccountTokenMutation();
  const state = owner ? stateFor : ownState;
  const [name, setName] = useState('');
  const [days, setDays] = useState(USUAL_DAYS);
  const [filter, setFilter] = useState('');
  const [selected, setSelected] = useState<string[]>(['devices.read']);
  const [tried, setTried] = useState(false);
  const offer = offered(own, filter);
  const wanted = chosen(selected, offer);
  const problems = {
    name: name.trim() === '' ? text.nameMissing : undefined,
    filter: problemOf(filterText, filter),
    permissions: wanted.length === 0 ? text.mayMissing : undefined,
  };
  const confirm = async () => {
    setTried(true);
    if (Object.values(problems).some((problem) => problem !== undefined)) return;
    const createToken = { name: name.trim(), days, filter: filter.trim(), permissions: wanted };
    const answer = owner
      ? await createFor({ id: account, serviceAccount: owner.id, createToken })
      : await createOwn({ createToken });
    if (answer.error) return;
    onClose();
    onCreated(answer.data.secret);
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.createFailed)}
      confirm={text.createConfirm}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={text.name}
        description={text.nameHelp}
        maxLength={TOKEN_LIMITS.name}
        autoComplete="off"
        value={name}
        error={tried ? problems.name : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <LifeSelect choices={DAYS} days={days} onChange={setDays} />
      <TextInput
        label={text.limit}
        description={text.limitHelp}
        autoComplete="off"
        spellCheck={false}
        value={filter}
        error={problems.filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <PermissionPicker
        offer={offer}
        selected={wanted}
        problem={tried ? problems.permissions : undefined}
        onChange={setSelected}
      />
    </DialogForm>
  );
}
