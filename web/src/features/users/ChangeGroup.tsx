import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { User } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { handedToRules } from '../../lib/messages/group-rules.ts';
import { useSession } from '../../lib/session.ts';
import { succeeded } from '../../lib/toast.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { choosable } from '../../ui/Invite.tsx';

const text = messages.users;
/** The group from which group rules move users. Default groups keep their names. */
const HOME = 'Members';

/** Moves a user into another group of the account, except the owners'. */
export function ChangeGroup({ user, onClose }: { user: User; onClose: () => void }) {
  const [move, state] = peopleApi.useChangeUserMutation();
  const [group, setGroup] = useState<string | null>(null);
  const names = peopleApi.useListGroupNamesQuery({ account: user.account });
  const others = choosable(names.data?.groups, useSession()).filter((one) => one.id !== user.group.id);
  const name = user.name || user.email;
  const target = others.find((one) => one.id === group)?.name ?? '';
  const confirm = async () => {
    if (!group) return;
    const answer = await move({ id: user.id, userChange: { group, old_group: user.group.id, account: user.account } });
    if (answer.error) return;
    onClose();
    succeeded(text.updated, text.movedDetail(name, target));
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.changeFailed)}
      confirm={text.change}
      disabled={group === null}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{text.changeLead(name, user.group.name)}</Text>
      <Select
        data-autofocus
        required
        searchable
        openOnFocus={false}
        label={text.changePick}
        nothingFoundMessage={messages.groups.intoNone}
        error={names.error ? errorText(names.error) : undefined}
        data={others.map((one) => ({ value: one.id, label: one.name }))}
        value={group}
        onChange={setGroup}
      />
      {target === HOME ? (
        <Text size="sm" c="dimmed" role="status">
          {handedToRules}
        </Text>
      ) : null}
    </DialogForm>
  );
}
