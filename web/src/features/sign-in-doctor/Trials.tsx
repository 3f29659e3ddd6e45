import { Button, Group, Skeleton, Text } from '@mantine/core';
import { signInDoctorApi } from '../../lib/api/generated/sign-in-doctor.ts';
import type { SignInProvider } from '../../lib/api/types.ts';
import { signInDoctor as text } from '../../lib/messages/sign-in-doctor.ts';
import { Failure } from '../../ui/Failure.tsx';
import classes from './SignInDoctor.module.css';

/** Starts a trial at a provider; the result is a page of the hub. */
export function Trials({ providers }: { providers: SignInProvider[] | undefined }) {
  const [begin, { isLoading, error, originalArgs, reset }] = signInDoctorApi.useTrySignInMutation();
  const start = async (provider: string) => {
    const answer = await begin({ body: { provider } });
    if (answer.data) window.location.assign(answer.data.url);
  };
  return (
    <section aria-label={text.tryTitle}>
      <h2 className={classes.title}>{text.tryTitle}</h2>
      <Text c="dimmed" mb="sm">
        {text.tryLead}
      </Text>
      {providers ? (
        <ul className={classes.list}>
          {providers.map(({ id, name, protocol, usable }) => (
            <li key={id} className={classes.provider}>
              <div>
                <div className={classes.person}>{name}</div>
                <Text c="dimmed" size="sm">
                  {usable ? text.protocols[protocol] : `${text.protocols[protocol]} · ${text.unusable}`}
                </Text>
              </div>
              <Group gap="xs">
                <Button
                  variant="default"
                  size="xs"
                  aria-label={text.try(name)}
                  disabled={!usable}
                  loading={isLoading && originalArgs?.body.provider === id}
                  onClick={() => void start(id)}
                >
                  {text.tryTitle}
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height={64} radius="md" />
      )}
      {error ? <Failure title={text.tryFailed} error={error} retry={reset} recover={false} /> : null}
    </section>
  );
}
