import { Button, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { signInDoctorApi } from '../../lib/api/generated/sign-in-doctor.ts';
import { signInDoctor as text } from '../../lib/messages/sign-in-doctor.ts';
import { messages } from '../../lib/messages.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { FailureCard } from './FailureCard.tsx';
import { Trials } from './Trials.tsx';
import classes from './SignInDoctor.module.css';

const LIMIT = 20;
/** A person tries again while an administrator looks. */
const EVERY_MS = 10_000;

/** The last refused sign-ins with the failed check, and trials of the providers. */
export function SignInDoctorPage() {
  const [provider, setProvider] = useState('');
  const [before, setBefore] = useState('');
  const { data, currentData, error, refetch } = signInDoctorApi.useListSignInFailuresQuery(
    { limit: LIMIT, ...(provider && { provider }), ...(before && { before }) },
    { pollingInterval: EVERY_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  const providers = data?.providers ?? [];
  const choose = (id: string) => {
    setProvider(id);
    setBefore('');
  };
  return (
    <Page title={text.title} trail={<Trail steps={[{ label: messages.nav.home, to: '/' }]} />}>
      <Stack gap="lg" maw={880}>
        <Text>{text.lead}</Text>
        <Trials providers={data?.providers} />
        <section aria-label={text.failures}>
          <Group justify="space-between" mb="sm">
            <h2 className={classes.title}>{text.failures}</h2>
            <NativeSelect
              aria-label={text.provider}
              value={provider}
              onChange={(event) => choose(event.currentTarget.value)}
              data={[
                { value: '', label: text.allProviders },
                ...providers.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </Group>
          {error && !currentData ? (
            <Failure title={text.failed} error={error} retry={refetch} />
          ) : !currentData ? (
            <Skeleton height={240} radius="md" />
          ) : currentData.failures.length === 0 ? (
            <Empty title={text.none} text={text.noneText} />
          ) : (
            <ul className={classes.list}>
              {currentData.failures.map((failure) => (
                <FailureCard key={failure.id} failure={failure} />
              ))}
            </ul>
          )}
          <Group justify="flex-end" mt="sm">
            {before ? (
              <Button variant="default" size="xs" onClick={() => setBefore('')}>
                {text.newest}
              </Button>
            ) : null}
            {currentData?.next ? (
              <Button variant="default" size="xs" onClick={() => setBefore(currentData.next ?? '')}>
                {text.older}
              </Button>
            ) : null}
          </Group>
        </section>
      </Stack>
    </Page>
  );
}
