import { accessApi } from '../../lib/api/access.ts';
import type { Grant } from '../../lib/api/types.ts';
import { access as text } from '../../lib/messages/access.ts';
import { succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { devicesOf, subjectOf } from './grant-text.ts';

/** Asks before a grant is withdrawn. */
export function WithdrawGrant({ account, grant, onClose }: { account: string; grant: Grant; onClose: () => void }) {
  const [remove] = accessApi.useDeleteGrantMutation();
  return (
    <Confirmation
      lead={text.removeLead(subjectOf(grant), devicesOf(grant))}
      confirm={text.remove}
      act={() => remove({ id: account, grant: grant.id }).unwrap()}
      onDone={() => {
        onClose();
        succeeded(text.removed, text.removedDetail);
      }}
      onCancel={onClose}
    />
  );
}
