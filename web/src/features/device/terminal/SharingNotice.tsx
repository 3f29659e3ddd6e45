import { Button, Group } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { sharing as text } from '../../../lib/messages/sharing.ts';
import type { SharingControl } from './useSharing.ts';
import classes from './SharingNotice.module.css';

/** Those who observe a terminal, but for the person who is looking. */
const observersOf = ({ people }: SharingControl, me: string | undefined) => [
  ...new Set(people.filter(({ user, observes }) => observes && user !== me).map(({ email }) => email)),
];

/** Above the screen: who asks the owner, who observes without asking, and whose terminal another person sees. */
export function SharingNotice({ sharing }: { sharing: SharingControl }) {
  const { people, requests, role } = sharing;
  const owner = people.find((one) => one.owner);
  const me = people.find(({ you }) => you);
  const isOthers = me?.owner === false;
  const reading = me?.observes ? text.observing : text.watching;
  const shared = owner && (role === 'writer' ? text.typing : reading)(owner.email);
  const notice = isOthers ? shared : role === 'reader' ? text.handedOver : undefined;
  const observers = observersOf(sharing, me?.user);
  return (
    <>
      {observers.length > 0 ? (
        <p className={classes.observed} role="alert">
          <IconEye size={16} aria-hidden />
          <span className={classes.words}>{text.observed(observers)}</span>
        </p>
      ) : null}
      {notice ? (
        <p className={classes.notice} role="status">
          {notice}
        </p>
      ) : null}
      {requests.map((request) => (
        <div key={request.id} className={classes.request} role="alert">
          <span className={classes.words}>{text.asks(request.email, request.role)}</span>
          <Group gap={6} wrap="wrap">
            {request.role === 'reader' ? (
              <Button size="compact-xs" onClick={() => sharing.answer(request.id, 'reader')}>
                {text.letWatch}
              </Button>
            ) : null}
            <Button size="compact-xs" variant="default" onClick={() => sharing.answer(request.id, 'writer')}>
              {text.letType}
            </Button>
            <Button size="compact-xs" variant="subtle" color="red" onClick={() => sharing.answer(request.id, null)}>
              {text.decline}
            </Button>
          </Group>
        </div>
      ))}
    </>
  );
}
