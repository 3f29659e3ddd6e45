import { MultiSelect } from '@mantine/core';
import { inviteEmails } from '@warren/rules/emails';
import { LIMITS } from '@warren/rules/limits';
import { useState } from 'react';
import { mayFill } from '../lib/access.ts';
import type { Person } from '../lib/access.ts';
import { errorText } from '../lib/api/errors.ts';
import { peopleApi } from '../lib/api/people.ts';
import type { GroupName } from '../lib/api/types.ts';
import { messages } from '../lib/messages.ts';
import { useSession } from '../lib/session.ts';
import { succeeded } from '../lib/toast.ts';
import { problemOf } from '../lib/validate.ts';
import { DialogForm } from './DialogForm.tsx';
import { EmailChips } from './EmailChips.tsx';

const text = messages.groups;

/** The target of an invitation. */
export interface InviteInto {
  account: string;
  accountName: string;
  /** The group, on a group's page; else the user chooses groups. */
  group?: string;
}

/** Lists the groups that a person may choose for an invitation or a move. */
export const choosable = (groups: GroupName[] | undefined, person: Person) =>
  (groups ?? []).filter((group) => mayFill(person, group));

/** Invites people by e-mail, into the page's group or into chosen groups. */
export function Invite({ into, onClose }: { into: InviteInto; onClose: () => void }) {
  const session = useSession();
  const [send, state] = peopleApi.useSendInvitationMutation();
  const [emails, setEmails] = useState<string[]>([]);
  const [groups, setGroups] = useState<string[]>([]);
  const names = peopleApi.useListGroupNamesQuery({ account: into.account }, { skip: into.group !== undefined });
  const chosen = into.group === undefined ? groups : [into.group];
  const confirm = async () => {
    const answer = await send({
      invitationRequest: {
        emails,
        sender: session.email,
        groups: chosen,
        account: into.account,
        account_name: into.accountName,
        single: into.group !== undefined,
      },
    });
    if (answer.error) return;
    onClose();
    succeeded(text.invited, text.invitedDetail(emails.length));
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.inviteFailed)}
      confirm={text.send}
      disabled={problemOf(inviteEmails, emails) !== undefined || chosen.length === 0}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <EmailChips value={emails} onChange={setEmails} />
      {into.group === undefined ? (
        <MultiSelect
          required
          searchable
          hidePickedOptions
          label={text.into}
          description={text.intoHint}
          maxValues={LIMITS.inviteGroups}
          nothingFoundMessage={text.intoNone}
          error={names.error ? errorText(names.error) : undefined}
          data={choosable(names.data?.groups, session).map((group) => ({ value: group.id, label: group.name }))}
          value={groups}
          onChange={setGroups}
        />
      ) : null}
    </DialogForm>
  );
}
