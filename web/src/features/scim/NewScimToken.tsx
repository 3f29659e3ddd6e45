import { TextInput } from '@mantine/core';
import { TOKEN_LIMITS } from '@warren/rules/tokens';
import { useState } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import { scimApi } from '../../lib/api/scim.ts';
import { scim as text } from '../../lib/messages/scim.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { LifeSelect } from '../../ui/tokens/LifeSelect.tsx';

const DAYS = [30, 90, 180, TOKEN_LIMITS.days];

interface NewScimTokenProps {
  account: string;
  onClose: () => void;
  onCreated: (secret: string) => void;
}

/** Creates a SCIM token of an account. */
export function NewScimToken({ account, onClose, onCreated }: NewScimTokenProps) {
  const [create, state] = scimApi.useCreateScimTokenMutation();
  const [name, setName] = useState('');
  const [days, setDays] = useState<number>(TOKEN_LIMITS.days);
  const [tried, setTried] = useState(false);
  const problem = name.trim() === '' ? text.nameMissing : undefined;
  const confirm = async () => {
    setTried(true);
    if (problem !== undefined) return;
    const answer = await create({ id: account, createScimToken: { name: name.trim(), days } });
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
        error={tried ? problem : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <LifeSelect choices={DAYS} days={days} onChange={setDays} />
    </DialogForm>
  );
}
