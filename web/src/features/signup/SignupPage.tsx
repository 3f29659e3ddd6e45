import { Alert, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { personName } from '@warren/rules/people';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useSearchParams } from 'react-router';
import { errorText } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { InvitationLink } from '../../lib/api/types.ts';
import { loginPath } from '../../lib/hub-paths.ts';
import { leave } from '../../lib/leave.ts';
import { messages } from '../../lib/messages.ts';
import { problemOf } from '../../lib/validate.ts';
import { Splash } from '../../ui/Splash.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';

const text = messages.signup;

/** Sign-up of a person with an invitation's link; without one, explains how to get it. */
export function SignupPage() {
  useDocumentTitle(`${text.title} · Warren`);
  const [query] = useSearchParams();
  const link = {
    email: query.get('email') ?? '',
    account: query.get('account') ?? '',
    token: query.get('token') ?? '',
  };
  return link.email && link.account && link.token ? <Signup link={link} /> : <NoLink />;
}

function NoLink() {
  return (
    <Splash>
      <Wordmark size={32} />
      <h1 style={{ margin: 0, fontSize: 20 }}>{text.noLink}</h1>
      <Text c="dimmed">{text.noLinkNote}</Text>
      <Button component="a" href={loginPath('/')}>
        {text.signIn}
      </Button>
    </Splash>
  );
}

/** Name and agreement of a person with an invitation; the sign-in itself is the identity provider's. */
function Signup({ link }: { link: InvitationLink }) {
  const [signUp, state] = peopleApi.useSignUpMutation();
  const [name, setName] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [tried, setTried] = useState(false);
  const problem = problemOf(personName, name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem || !agreed) return;
    const answer = await signUp({ signUp: { ...link, name: personName.parse(name) } });
    if (!answer.error) leave.to(loginPath(`/accept_invitation?${new URLSearchParams(link)}`));
  };
  return (
    <Splash>
      <Wordmark size={32} />
      <h1 style={{ margin: 0, fontSize: 20 }}>{text.heading}</h1>
      <Text c="dimmed">{text.note}</Text>
      <form
        noValidate
        data-unsent={name !== '' || undefined}
        onSubmit={(event) => void submit(event)}
        style={{ width: '100%', textAlign: 'left' }}
      >
        <Stack gap="md">
          {state.error ? (
            <Alert color="red" variant="light" role="alert" title={text.failed}>
              {errorText(state.error)}
            </Alert>
          ) : null}
          <TextInput label={text.email} value={link.email} readOnly />
          <TextInput
            required
            autoComplete="name"
            label={text.name}
            value={name}
            error={tried ? problem : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox
            label={text.agree}
            checked={agreed}
            error={tried && !agreed ? text.agreeRequired : undefined}
            onChange={(event) => setAgreed(event.currentTarget.checked)}
          />
          <Button type="submit" loading={state.isLoading}>
            {text.submit}
          </Button>
        </Stack>
      </form>
    </Splash>
  );
}
