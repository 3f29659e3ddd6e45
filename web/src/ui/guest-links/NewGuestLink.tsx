import { Select, Text, TextInput } from '@mantine/core';
import { GUEST_LINK_LIMITS, guestPin, guestUses, type GuestPurpose } from '@warren/rules/guest-links';
import { useState } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import { guestsApi } from '../../lib/api/guests.ts';
import type { Device } from '../../lib/api/types.ts';
import { guestPurposesOn, nameOf } from '../../lib/device-access.ts';
import { guestLinks as text } from '../../lib/messages/guests.ts';
import { durationsUpTo } from '../../lib/request-durations.ts';
import { problemOf } from '../../lib/validate.ts';
import { DialogForm } from '../DialogForm.tsx';

const WHOLE = /^\d+$/;

interface NewGuestLinkProps {
  device: Device;
  onCreated: (url: string) => void;
  onCancel: () => void;
}

/** The form of a new guest link. */
export function NewGuestLink({ device, onCreated, onCancel }: NewGuestLinkProps) {
  const [create, creation] = guestsApi.useCreateGuestLinkMutation();
  const offered = guestPurposesOn(device);
  const [purpose, setPurpose] = useState<GuestPurpose>(offered[0] ?? 'terminal');
  const [minutes, setMinutes] = useState<string>(String(GUEST_LINK_LIMITS.default));
  const [pin, setPin] = useState('');
  const [uses, setUses] = useState('1');
  const [tried, setTried] = useState(false);
  const problems = {
    pin: pin !== '' && problemOf(guestPin, pin) !== undefined ? text.pinProblem : undefined,
    uses: !WHOLE.test(uses) || problemOf(guestUses, Number(uses)) !== undefined ? text.usesProblem : undefined,
  };
  const confirm = async () => {
    setTried(true);
    if (Object.values(problems).some((problem) => problem !== undefined)) return;
    const port = purpose === 'web' ? device.http_port : null;
    const wanted = { purpose, port, minutes: Number(minutes), pin: pin || null, uses: Number(uses) };
    const answer = await create({ id: device.id, createGuestLink: wanted });
    if (answer.data) onCreated(answer.data.url);
  };
  return (
    <DialogForm
      problem={creation.error && errorText(creation.error, text.createFailed)}
      confirm={text.create}
      busy={creation.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onCancel}
    >
      <Text size="sm" c="dimmed">
        {text.lead(nameOf(device))}
      </Text>
      <Select
        data-autofocus
        label={text.purpose}
        data={offered.map((value) => ({ value, label: text.purposes[value] }))}
        value={purpose}
        allowDeselect={false}
        onChange={(value) => setPurpose(offered.find((one) => one === value) ?? purpose)}
      />
      {purpose === 'web' ? <Service device={device} /> : null}
      <Select
        label={text.minutes}
        data={durationsUpTo(GUEST_LINK_LIMITS.longest)}
        value={minutes}
        allowDeselect={false}
        onChange={(value) => setMinutes(value ?? minutes)}
      />
      <TextInput
        label={text.pin}
        description={text.pinHelp}
        inputMode="numeric"
        autoComplete="off"
        maxLength={GUEST_LINK_LIMITS.pinLongest}
        value={pin}
        error={tried ? problems.pin : undefined}
        onChange={(event) => setPin(event.currentTarget.value.trim())}
      />
      <TextInput
        label={text.uses}
        description={text.usesHelp}
        inputMode="numeric"
        autoComplete="off"
        value={uses}
        error={tried ? problems.uses : undefined}
        onChange={(event) => setUses(event.currentTarget.value.trim())}
      />
    </DialogForm>
  );
}

/** The web service that the device has, where it listens on the device. */
function Service({ device: { http_ip: ip, http_port: port } }: { device: Device }) {
  return <Text size="sm">{text.serviceAt(`${ip.includes(':') ? `[${ip}]` : ip}:${port}`)}</Text>;
}
