import { Text } from '@mantine/core';
import { accountName } from '@warren/rules/names';
import { peopleApi } from '../../lib/api/people.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { CreateNamed } from '../../ui/CreateNamed.tsx';

const text = messages.accounts;

export function CreateAccount({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const [create, state] = peopleApi.useCreateAccountMutation();
  return (
    <CreateNamed
      rule={accountName}
      text={text}
      done={{ title: text.made, detail: text.createdDetail }}
      state={state}
      create={(name) => create({ newAccount: { name, identity: session.user } })}
      onClose={onClose}
    >
      <Text c="dimmed">{text.createNote}</Text>
    </CreateNamed>
  );
}
