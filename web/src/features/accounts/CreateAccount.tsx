import { Text } from '@mantine/core';
import { accountName } from '@warren/rules/names';
import { useState } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { succeeded } from '../../lib/toast.ts';
import { problemOf } from '../../lib/validate.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { NameInput } from '../../ui/NameInput.tsx';

const text = messages.accounts;

export function CreateAccount({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const [create, state] = peopleApi.useCreateAccountMutation();
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const problem = problemOf(accountName, name);
  const confirm = async () => {
    setTried(true);
    if (problem) return;
    const made = accountName.parse(name);
    const answer = await create({ newAccount: { name: made, identity: session.user } });
    if (answer.error) return;
    onClose();
    succeeded(text.made, text.createdDetail(made));
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.createFailed)}
      confirm={text.create}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <NameInput label={text.name} value={name} onChange={setName} error={tried ? problem : undefined} />
      <Text c="dimmed">{text.createNote}</Text>
    </DialogForm>
  );
}
