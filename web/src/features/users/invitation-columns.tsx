import { Anchor, Button, Tooltip } from '@mantine/core';
import { IconSend, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { maySee } from '../../lib/access.ts';
import { hubNow } from '../../lib/clock.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { Invitation } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import type { Session } from '../../lib/session.ts';
import { failed, succeeded } from '../../lib/toast.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { CopiedEmail } from '../../ui/Email.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { When } from '../../ui/When.tsx';
import classes from './PendingInvitations.module.css';

const text = messages.invitations;

const account = (linked: boolean): Column<Invitation> => ({
  id: 'account',
  label: text.account,
  width: '20%',
  wideOnly: true,
  render: ({ account: { id, name } }) =>
    linked ? (
      <Anchor component={Link} to={`/accounts/${id}`} size="sm" c="inherit">
        {name}
      </Anchor>
    ) : (
      name
    ),
});

/** The columns of a list of invitations: operator users also see the account, linked if they have access to it. */
export function invitationColumns(session: Session, onCancel: (invitation: Invitation) => void): Column<Invitation>[] {
  return [
    {
      id: 'email',
      label: text.email,
      render: (invitation) => (
        <TwoLines
          name={<CopiedEmail address={invitation.user} of={invitation.user} />}
          note={invitation.group ? text.group(invitation.group.name) : ''}
        />
      ),
    },
    ...(session.operator ? [account(maySee(session, 'accounts'))] : []),
    {
      id: 'sent',
      label: text.sent,
      width: 150,
      wideOnly: true,
      render: (invitation) => <When at={invitation.invitedAt} />,
    },
    {
      id: 'delivery',
      label: text.delivery,
      width: 130,
      wideOnly: true,
      render: (invitation) => <Delivery invitation={invitation} />,
    },
    {
      id: 'actions',
      label: text.actions,
      hiddenLabel: true,
      width: 'var(--invitation-actions)',
      align: 'right',
      render: (invitation) => <Actions invitation={invitation} onCancel={onCancel} />,
    },
  ];
}

/** The delivery status of the e-mail; the mail server's error shows on hover. */
function Delivery({ invitation }: { invitation: Invitation }) {
  if (invitation.void_reason) return <span className={classes.quiet}>{invitation.void_reason}</span>;
  if (invitation.expires && Date.parse(invitation.expires) < hubNow())
    return <span className={classes.quiet}>{text.expired}</span>;
  const state = invitation.delivery;
  if (!state) return <>–</>;
  return (
    <Tooltip label={invitation.delivery_problem} disabled={!invitation.delivery_problem} multiline maw={360}>
      <span className={classes.delivery} data-state={state}>
        {text.deliveryWords[state]}
      </span>
    </Tooltip>
  );
}

interface ActionsProps {
  invitation: Invitation;
  onCancel: (invitation: Invitation) => void;
}

function Actions({ invitation, onCancel }: ActionsProps) {
  const [resend, { isLoading }] = peopleApi.useResendInvitationMutation();
  const again = () =>
    void resend({ id: invitation.id })
      .unwrap()
      .then(
        () => succeeded(text.resent, text.resentDetail(invitation.user)),
        (error: unknown) => failed(error),
      );
  return (
    <span className={classes.actions}>
      <Button
        size="compact-sm"
        variant="default"
        fw={400}
        loading={isLoading}
        aria-label={text.resendTo(invitation.user)}
        onClick={again}
      >
        <IconSend size={15} aria-hidden />
        <span className={classes.word}>&nbsp;{text.resend}</span>
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        fw={400}
        aria-label={text.cancelTo(invitation.user)}
        onClick={() => onCancel(invitation)}
      >
        <IconX size={15} aria-hidden />
        <span className={classes.word}>&nbsp;{text.cancel}</span>
      </Button>
    </span>
  );
}
