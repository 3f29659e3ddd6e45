import { peopleApi } from '../../lib/api/people.ts';
import type { Group } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';

const text = messages.groups;

export function DeleteGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const [remove] = peopleApi.useDeleteGroupMutation();
  const heir = group.role === 'Admin' ? 'Admins' : 'Members';
  return (
    <Confirmation
      lead={text.deleteLead(group.name, group.account_name)}
      losses={[text.deleteMoves(group.user_count, heir), text.deleteInvitations(heir)]}
      typed={group.name}
      confirm={text.delete}
      act={() => remove({ id: group.id }).unwrap()}
      onDone={() => {
        onClose();
        succeeded(text.removed, text.removedDetail(group.name));
      }}
      onCancel={onClose}
    />
  );
}
