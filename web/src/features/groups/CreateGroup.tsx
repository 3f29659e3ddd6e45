import { Radio, Stack } from '@mantine/core';
import { groupName } from '@warren/rules/names';
import { useState } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { GroupRole } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { succeeded } from '../../lib/toast.ts';
import { problemOf } from '../../lib/validate.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { NameInput } from '../../ui/NameInput.tsx';

const text = messages.groups;

export function CreateGroup({ account, onClose }: { account: string; onClose: () => void }) {
  const [create, state] = peopleApi.useCreateGroupMutation();
  const [name, setName] = useState('');
  const [role, setRole] = useState<GroupRole>('Member');
  const [tried, setTried] = useState(false);
  const problem = problemOf(groupName, name);
  const confirm = async () => {
    setTried(true);
    if (problem) return;
    const made = groupName.parse(name);
    const answer = await create({ newGroup: { name: made, role, account, default: 'No' } });
    if (answer.error) return;
    onClose();
    succeeded(text.created, text.createdDetail(made));
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
      <Radio.Group label={text.kind} value={role} onChange={(value) => setRole(value as GroupRole)}>
        <Stack gap={8} mt={8}>
          <Radio value="Admin" label={text.admin} description={text.adminNote} />
          <Radio value="Member" label={text.member} description={text.memberNote} />
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
