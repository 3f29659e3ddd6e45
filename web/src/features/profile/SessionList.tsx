import { Button, Skeleton, Text, Title } from '@mantine/core';
import { sessionsApi } from '../../lib/api/generated/sessions.ts';
import type { OwnSession } from '../../lib/api/types.ts';
import { forgetClient } from '../../lib/client.ts';
import { ago, time } from '../../lib/format.ts';
import { LOGOUT_PATH } from '../../lib/hub-paths.ts';
import { leave } from '../../lib/leave.ts';
import { messages } from '../../lib/messages.ts';
import { failed, succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { SignOut } from '../../ui/SignOut.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { useNow } from '../../ui/useNow.ts';
import classes from './SessionList.module.css';

const text = messages.profile.sessions;
const LOOK_MS = 30_000;

/** The person's sessions, with sign-out of one browser, or of all. */
export function SessionList() {
  const { data, error, refetch } = sessionsApi.useListSessionsQuery(undefined, {
    pollingInterval: LOOK_MS,
    refetchOnMountOrArgChange: true,
  });
  const everywhere = useDialog<number>();
  const now = useNow(LOOK_MS);
  return (
    <section className={classes.root} aria-label={text.title}>
      <div className={classes.head}>
        <Title order={2}>{text.title}</Title>
        {data ? (
          <Button variant="default" onClick={() => everywhere.open(data.sessions.length)}>
            {text.everywhere}
          </Button>
        ) : null}
      </div>
      <Text size="sm" c="dimmed" mt={4}>
        {text.lead}
      </Text>
      {error && !data ? <Failure title={text.failed} error={error} retry={refetch} /> : null}
      {data || error ? null : <Skeleton height={56} mt="md" />}
      <ul className={classes.list}>
        {data?.sessions.map((session) => (
          <Row key={session.id} session={session} now={now} onEnded={() => void refetch()} />
        ))}
      </ul>
      <Dialog control={everywhere} title={text.everywhere}>
        {(count) => <Everywhere count={count} onClose={everywhere.close} />}
      </Dialog>
    </section>
  );
}

function Row({ session, now, onEnded }: { session: OwnSession; now: number; onEnded: () => void }) {
  const [end, { isLoading }] = sessionsApi.useEndSessionMutation();
  const here = session.current === 'Yes';
  const browser = session.browser || text.unknown;
  const signOut = async () => {
    try {
      await end({ id: session.id }).unwrap();
      succeeded(text.ended, text.endedDetail(browser));
    } catch (error) {
      failed(error, text.endFailed);
    }
    onEnded();
  };
  return (
    <li className={classes.row} aria-label={browser}>
      <div className={classes.what}>
        <span>{browser}</span>
        {here ? <span className={classes.here}>{text.here}</span> : null}
        <span className={classes.about} title={text.exact(time(session.started_at), time(session.used_at))}>
          {text.about(session.address, ago(session.started_at, now), ago(session.used_at, now))}
        </span>
      </div>
      {here ? (
        <SignOut label={text.end} variant="default" />
      ) : (
        <Button variant="default" loading={isLoading} aria-label={text.endOf(browser)} onClick={() => void signOut()}>
          {text.end}
        </Button>
      )}
    </li>
  );
}

/** Ends the others first; this browser's sign-out continues at the identity provider. */
function Everywhere({ count, onClose }: { count: number; onClose: () => void }) {
  const [end] = sessionsApi.useEndOtherSessionsMutation();
  return (
    <Confirmation
      lead={text.everywhereLead(count)}
      note={text.terminalsStay}
      confirm={text.everywhere}
      act={() => end().unwrap()}
      onDone={() => {
        forgetClient();
        leave.to(LOGOUT_PATH);
      }}
      onCancel={onClose}
    />
  );
}
