import type { ServiceAccount } from '../../../lib/api/types.ts';
import { tokensApi } from '../../../lib/api/tokens.ts';
import { serviceAccounts as text } from '../../../lib/messages/service-accounts.ts';
import { succeeded } from '../../../lib/toast.ts';
import { Confirmation } from '../../../ui/Confirmation.tsx';

interface DeleteServiceAccountProps {
  account: string;
  serviceAccount: ServiceAccount;
  onClose: () => void;
}

/** Asks before a service account is deleted: it can't be undone. */
export function DeleteServiceAccount({ account, serviceAccount: { id, name }, onClose }: DeleteServiceAccountProps) {
  const [remove] = tokensApi.useDeleteServiceAccountMutation();
  return (
    <Confirmation
      lead={text.removeLead(name)}
      losses={text.removeLosses}
      confirm={text.remove}
      act={() => remove({ id: account, serviceAccount: id }).unwrap()}
      onDone={() => {
        onClose();
        succeeded(text.removed, name);
      }}
      onCancel={onClose}
    />
  );
}
