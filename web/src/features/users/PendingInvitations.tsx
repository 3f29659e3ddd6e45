import { Badge, Title } from '@mantine/core';
import { LIMITS } from '@warren/rules/limits';
import { peopleApi } from '../../lib/api/people.ts';
import type { Invitation } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ListFooter } from '../../ui/ListFooter.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { invitationColumns } from './invitation-columns.tsx';
import type { PendingState } from './useInvitations.ts';
import classes from './PendingInvitations.module.css';

const text = messages.invitations;
const unsorted = { sort: '', order: 'asc' } as const;

/** The open invitations; renders nothing without any. */
export function PendingInvitations({ pending }: { pending: PendingState }) {
  const session = useSession();
  const cancel = useDialog<Invitation>();
  return (
    <>
      {pending.total === 0 ? null : (
        <section className={classes.root} aria-label={text.title}>
          <div className={classes.head}>
            <Title order={2}>{text.title}</Title>
            <Badge variant="default" radius="sm" tt="none" fw={400} aria-label={text.count(pending.total)}>
              {pending.total}
            </Badge>
          </div>
          <DataTable
            label={text.title}
            columns={invitationColumns(session, cancel.open)}
            rows={pending.invitations}
            rowKey={(invitation) => invitation.id}
            state={unsorted}
            onSort={() => undefined}
            empty={null}
          />
          <ListFooter
            total={pending.total}
            page={pending.page}
            limit={LIMITS.pageSize.invitations}
            onPage={pending.onPage}
          />
        </section>
      )}
      <Dialog control={cancel} title={text.cancelTitle}>
        {(invitation) => <CancelInvitation invitation={invitation} onClose={cancel.close} />}
      </Dialog>
    </>
  );
}

function CancelInvitation({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const [cancel] = peopleApi.useCancelInvitationMutation();
  return (
    <Confirmation
      lead={text.cancelLead(invitation.user)}
      confirm={text.cancelTitle}
      dismiss={text.keep}
      act={() => cancel({ id: invitation.id, email: invitation.user }).unwrap()}
      onDone={() => {
        onClose();
        succeeded(text.cancelled, text.cancelledDetail(invitation.user));
      }}
      onCancel={onClose}
    />
  );
}
