import { Text, TextInput } from '@mantine/core';
import { ownerEmail } from '@warren/rules/emails';
import { useState } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { Account } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { succeeded } from '../../lib/toast.ts';
import { problemOf } from '../../lib/validate.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';

const text = messages.accounts;

/** Assigns the first owner of an account, or replaces the owner. */
export function AssignOwner({ account, onClose }: { account: Account; onClose: () => void }) {
  const session = useSession();
  const [assign, state] = peopleApi.useAssignOwnerMutation();
  const [email, setEmail] = useState('');
  const [touched, setTouched] = useState(false);
  const problem = problemOf(ownerEmail, email);
  const before = account.owner;
  const confirm = async () => {
    const owner = ownerEmail.parse(email);
    const call = { owner, account: account.id, sender: session.email, is_new: before ? 'change' : 'new' };
    const answer = await assign({ ownerAssignment: call });
    if (answer.error) return;
    onClose();
    succeeded(text.assigned, text.assignedDetail(owner, account.name));
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.assignFailed)}
      confirm={before ? text.change : text.assign}
      disabled={problem !== undefined}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{text.assignNote(account.name)}</Text>
      <TextInput
        data-autofocus
        required
        inputMode="email"
        autoComplete="off"
        label={text.ownerEmail}
        value={email}
        error={touched ? problem : undefined}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          if (event.currentTarget.value === '') setTouched(true);
        }}
        onBlur={() => setTouched(touched || email !== '')}
      />
      {before?.signup_status === 'Yes' ? (
        <Text c="dimmed">{text.changeNote(account.name, before.name || before.email)}</Text>
      ) : null}
    </DialogForm>
  );
}
