import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { personName } from '@warren/rules/people';
import { IconKey, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link } from 'react-router';
import { errorText } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { succeeded } from '../../lib/toast.ts';
import { problemOf } from '../../lib/validate.ts';
import { Fields } from '../../ui/Fields.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { PictureField } from './PictureField.tsx';
import { SessionList } from './SessionList.tsx';

const text = messages.profile;
const steps = [{ label: messages.nav.home, to: '/' }];

/** The person's name and picture; settings of the identity provider or an administrator are read-only. */
export function ProfilePage() {
  const session = useSession();
  const [save, state] = peopleApi.useUpdateProfileMutation();
  const [name, setName] = useState(session.name);
  /** A data URL; empty to remove the picture; null to keep it. */
  const [picture, setPicture] = useState<string | null>(null);
  const problem = problemOf(personName, name);
  const changed = name !== session.name || picture !== null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (problem || !changed) return;
    const change = { ...(name === session.name ? {} : { name: personName.parse(name) }) };
    const answer = await save({ profileChange: { ...change, ...(picture === null ? {} : { picture }) } });
    if (answer.error) return;
    setName(personName.parse(name));
    setPicture(null);
    succeeded(text.saved, text.savedDetail);
  };
  return (
    <Page title={text.title} trail={<Trail steps={steps} />} actions={<Tokens />}>
      <form
        noValidate
        data-unsent={changed || undefined}
        onSubmit={(event) => void submit(event)}
        style={{ maxWidth: 520 }}
      >
        <Stack gap="md">
          {state.error ? (
            <Alert color="red" variant="light" role="alert">
              {errorText(state.error, text.failed)}
            </Alert>
          ) : null}
          <PictureField name={name || session.email} present={picture ?? session.picture} onChange={setPicture} />
          <TextInput
            required
            autoComplete="name"
            label={text.name}
            value={name}
            error={problem}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput readOnly variant="filled" label={text.email} description={text.emailNote} value={session.email} />
          <Fields
            fields={[
              { label: text.role, value: session.group?.role || '–' },
              { label: text.account, value: session.account_name },
              { label: text.status, value: session.status },
            ]}
          />
          <Button
            type="submit"
            disabled={!changed || problem !== undefined}
            loading={state.isLoading}
            style={{ alignSelf: 'flex-start' }}
          >
            {text.save}
          </Button>
        </Stack>
      </form>
      <SessionList />
    </Page>
  );
}

function Tokens() {
  return (
    <>
      <Button component={Link} to="/sessions" variant="default" leftSection={<IconPlayerPlay size={16} aria-hidden />}>
        {messages.nav.sessions}
      </Button>
      <Button component={Link} to="/profile/tokens" variant="default" leftSection={<IconKey size={16} aria-hidden />}>
        {messages.nav.tokens}
      </Button>
    </>
  );
}
