import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { GUEST_LINK_LIMITS, guestName, guestPin } from '@warren/rules/guest-links';
import { useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import { errorText, statusOf } from '../../lib/api/errors.ts';
import type { GuestLinkShown } from '../../lib/api/types.ts';
import { guestsApi } from '../../lib/api/guests.ts';
import { time } from '../../lib/format.ts';
import { guest as text } from '../../lib/messages/guests.ts';
import { problemOf } from '../../lib/validate.ts';
import { Splash } from '../../ui/Splash.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { Closed, Loading, Notice, Unopened, Unserved } from './notices.tsx';

interface InvitationProps {
  id: string;
  secret: string;
  onJoined: () => void;
}

/** What a guest link opens, and the form that lets the guest in. */
export function Invitation({ id, secret, onJoined }: InvitationProps) {
  const [lookUp, found] = guestsApi.useLookUpGuestLinkMutation();
  const look = () => void lookUp({ id, lookUpGuestLink: { secret } });
  useEffect(look, [id, secret]);
  const { data: link, error } = found;
  if (error && [400, 404].includes(statusOf(error) ?? 0))
    return <Notice title={text.unknown} note={text.unknownText} />;
  if (error) return <Unopened error={error} retry={look} />;
  if (!link) return <Loading />;
  if (link.state !== 'open') return <Closed state={link.state} />;
  if (link.service === 'off' || link.service === 'gone') return <Unserved state={link.service} />;
  return <Form link={link} secret={secret} onJoined={onJoined} onClosed={look} />;
}

interface FormProps {
  link: GuestLinkShown;
  secret: string;
  onJoined: () => void;
  /** The link may have closed. */
  onClosed: () => void;
}

function Form({ link, secret, onJoined, onClosed }: FormProps) {
  const [redeem, { error, isLoading }] = guestsApi.useRedeemGuestLinkMutation();
  const [name, setName] = useState('');
  const [pin, setPin] = useState('');
  const [tried, setTried] = useState(false);
  const nameProblem = name.trim() === '' ? text.nameMissing : problemOf(guestName, name);
  const pinProblem = link.pin && problemOf(guestPin, pin) !== undefined ? text.pinProblem : undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (nameProblem !== undefined || pinProblem !== undefined) return;
    const answer = await redeem({ id: link.id, redeemGuestLink: { secret, name: name.trim(), pin } });
    if (!answer.error) return onJoined();
    // A wrong PIN is corrected here; after the last one, and when the link has closed, the reason is shown instead.
    if (statusOf(answer.error) === 409) onClosed();
  };
  return (
    <Splash>
      <Wordmark size={32} />
      <h1 style={{ margin: 0, fontSize: 20 }}>{text.heading(link.device)}</h1>
      <div>
        <Text>{text.by[link.purpose](link.host)}</Text>
        <Text c="dimmed">{text.until(time(link.expires_at))}</Text>
      </div>
      <form noValidate onSubmit={(event) => void submit(event)} style={{ width: '100%', textAlign: 'start' }}>
        <Stack>
          {error ? (
            <Alert color="red" variant="light" role="alert">
              {errorText(error, text.failed)}
            </Alert>
          ) : null}
          <TextInput
            required
            label={text.name}
            autoComplete="name"
            maxLength={GUEST_LINK_LIMITS.name}
            value={name}
            error={tried ? nameProblem : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {link.pin ? (
            <TextInput
              required
              label={text.pin}
              description={text.pinHelp}
              inputMode="numeric"
              autoComplete="off"
              maxLength={GUEST_LINK_LIMITS.pinLongest}
              value={pin}
              error={tried ? pinProblem : undefined}
              onChange={(event) => setPin(event.currentTarget.value.trim())}
            />
          ) : null}
          <Text size="sm" c="dimmed">
            {text.seen}
          </Text>
          <Button type="submit" loading={isLoading}>
            {text.join[link.purpose]}
          </Button>
        </Stack>
      </form>
    </Splash>
  );
}
