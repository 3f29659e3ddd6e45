import { Alert, Button, Group, Loader, Paper, Text } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMemo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { errorText, statusOf } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { InvitationLink } from '../../lib/api/types.ts';
import { loginPath } from '../../lib/hub-paths.ts';
import { messages } from '../../lib/messages.ts';
import { SignOut } from '../../ui/SignOut.tsx';
import { Splash } from '../../ui/Splash.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { forgetLink, linkQuery, readLink } from './link.ts';

const text = messages.accept;

/** The invitation, and how to accept it: for people with and without a session. */
export function InvitationPage() {
  useDocumentTitle(`${text.title} · Warren`);
  const [query] = useSearchParams();
  const link = useMemo(() => readLink(query), [query]);
  const shown = peopleApi.useLookUpInvitationQuery(link, { skip: link.token === '' });
  const session = api.useGetSessionQuery(undefined);
  if (shown.isLoading || session.isLoading) return <Loading />;
  if (!link.token) return session.data ? <Waiting email={session.data.email} /> : <Plain note={text.noToken} />;
  if (shown.error) {
    const gone = statusOf(shown.error) === 404 || statusOf(shown.error) === 400;
    return <Plain heading={text.invalid} note={gone ? text.invalidNote : errorText(shown.error)} />;
  }
  const { account, group, invited_by: by } = shown.data ?? {};
  return (
    <Splash>
      <Wordmark size={32} />
      <h1 style={{ margin: 0, fontSize: 20 }}>{account ? text.heading(account.name) : text.headingPlain}</h1>
      <div>
        {by ? <Text>{text.by(by)}</Text> : null}
        {group ? <Text>{text.into(group.name)}</Text> : null}
        <Text c="dimmed">{text.forEmail(link.email)}</Text>
      </div>
      <Way link={link} email={session.data?.email} />
    </Splash>
  );
}

/** The open invitation of a signed-in person without its link: the sign-in vouches for the address. */
function Waiting({ email }: { email: string }) {
  const waiting = peopleApi.useListMyInvitationsQuery();
  if (waiting.isLoading) return <Loading />;
  const invitations = waiting.data?.invitations ?? [];
  if (invitations.length === 0)
    return <Plain note={waiting.error ? errorText(waiting.error) : text.noneWaiting(email)} />;
  return (
    <Splash>
      <Wordmark size={32} />
      <h1 style={{ margin: 0, fontSize: 20 }}>{text.headingPlain}</h1>
      <Text c="dimmed">{text.forEmail(email)}</Text>
      {invitations.map(({ account, group, invited_by: by }) => (
        <Paper key={account.id} component="section" withBorder p="md" w="100%" aria-label={account.name}>
          <Text fw={600}>{text.heading(account.name)}</Text>
          {by ? <Text>{text.by(by)}</Text> : null}
          <Text mb="sm">{text.into(group.name)}</Text>
          <Accept link={{ email, account: account.id, token: '' }} label={text.acceptOf(account.name)} />
        </Paper>
      ))}
      <SignOut label={text.signOut} variant="default" />
    </Splash>
  );
}

function Loading() {
  return (
    <Splash>
      <Loader size={40} aria-label={messages.common.loading} role="status" />
    </Splash>
  );
}

function Plain({ heading = text.headingPlain, note }: { heading?: string; note: string }) {
  return (
    <Splash>
      <Wordmark size={32} />
      <h1 style={{ margin: 0, fontSize: 20 }}>{heading}</h1>
      <Text c="dimmed">{note}</Text>
      <SignOut label={text.signOut} variant="default" />
    </Splash>
  );
}

/** The next step: accept, sign in, sign up, or sign out of another person's session; `email` is the session's. */
function Way({ link, email }: { link: InvitationLink; email: string | undefined }) {
  const here = `/accept_invitation?${linkQuery(link)}`;
  if (email === undefined) {
    return (
      <Group gap="xs" justify="center">
        <Button component="a" href={loginPath(here)}>
          {text.signIn}
        </Button>
        <Button component={Link} to={`/signup-user?${linkQuery(link)}`} variant="default">
          {text.signUp}
        </Button>
      </Group>
    );
  }
  if (email.toLowerCase() === link.email.toLowerCase()) return <Accept link={link} />;
  return (
    <>
      <Text>{text.otherUser(email)}</Text>
      <SignOut label={text.signOut} />
    </>
  );
}

function Accept({ link, label }: { link: InvitationLink; label?: string }) {
  const navigate = useNavigate();
  const session = api.useGetSessionQuery(undefined);
  const [accept, state] = peopleApi.useAcceptInvitationMutation();
  const join = async () => {
    const answer = await accept({ invitationLink: link });
    if (answer.error) return;
    forgetLink();
    await session.refetch();
    await navigate('/', { replace: true });
  };
  return (
    <>
      {state.error ? (
        <Alert color="red" variant="light" role="alert" title={text.failed}>
          {errorText(state.error)}
        </Alert>
      ) : null}
      <Button loading={state.isLoading} aria-label={label} onClick={() => void join()}>
        {text.accept}
      </Button>
    </>
  );
}
