import { Radio, Stack } from '@mantine/core';
import { groupName } from '@warren/rules/names';
import { useState } from 'react';
import { peopleApi } from '../../lib/api/people.ts';
import type { GroupRole } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { CreateNamed } from '../../ui/CreateNamed.tsx';

const text = messages.groups;

export function CreateGroup({ account, onClose }: { account: string; onClose: () => void }) {
  const [create, state] = peopleApi.useCreateGroupMutation();
  const [role, setRole] = useState<GroupRole>('Member');
  return (
    <CreateNamed
      rule={groupName}
      text={text}
      done={{ title: text.created, detail: text.createdDetail }}
      state={state}
      create={(name) => create({ newGroup: { name, role, account, default: 'No' } })}
      onClose={onClose}
    >
      <Radio.Group label={text.kind} value={role} onChange={(value) => setRole(value as GroupRole)}>
        <Stack gap={8} mt={8}>
          <Radio value="Admin" label={text.admin} description={text.adminNote} />
          <Radio value="Member" label={text.member} description={text.memberNote} />
        </Stack>
      </Radio.Group>
    </CreateNamed>
  );
}
