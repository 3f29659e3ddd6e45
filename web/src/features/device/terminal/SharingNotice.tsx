import { Button, Group } from '@mantine/core';
import { sharing as text } from '../../../lib/messages/sharing.ts';
import type { SharingControl } from './useSharing.ts';
import classes from './SharingNotice.module.css';

/** Above the screen: who asks the owner, and whose terminal another person sees. */
export function SharingNotice({ sharing }: { sharing: SharingControl }) {
  const { people, requests, role } = sharing;
  const owner = people.find((one) => one.owner);
  const isOthers = people.some(({ you, owner: isOwner }) => you && !isOwner);
  const shared = owner && (role === 'writer' ? text.typing : text.watching)(owner.email);
  const notice = isOthers ? shared : role === 'reader' ? text.handedOver : undefined;
  return (
    <>
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
