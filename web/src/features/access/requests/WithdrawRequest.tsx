import type { AccessRequest } from '../../../lib/api/types.ts';
import { requestsApi } from '../../../lib/api/requests.ts';
import { accessRequests } from '../../../lib/messages/access-requests.ts';
import { succeeded } from '../../../lib/toast.ts';
import { Confirmation } from '../../../ui/Confirmation.tsx';

const text = accessRequests.withdraw;

interface WithdrawRequestProps {
  account: string;
  request: AccessRequest;
  onClose: () => void;
}

/** Asks before a request is withdrawn. */
export function WithdrawRequest({ account, request, onClose }: WithdrawRequestProps) {
  const [withdraw] = requestsApi.useWithdrawAccessRequestMutation();
  return (
    <Confirmation
      lead={text.lead}
      confirm={text.action}
      act={() => withdraw({ id: account, request: request.id }).unwrap()}
      onDone={() => {
        onClose();
        succeeded(text.done, text.doneDetail);
      }}
      onCancel={onClose}
    />
  );
}
