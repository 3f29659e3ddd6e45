import { Button, Group, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import { hubNow } from '../../lib/clock.ts';
import { countdown } from '../../lib/format.ts';
import { messages } from '../../lib/messages.ts';
import { CommandBox } from '../../ui/CommandBox.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { useNow } from '../../ui/useNow.ts';
import { NewDevices } from './NewDevices.tsx';

const text = messages.addDevice;
const MOST = 500;

/** The command that installs the agent, made for this dialog, and the devices that have used it. */
export function AddDevice({ account, accountName }: { account: string; accountName: string }) {
  const [make, made] = deviceActionsApi.useCreateEnrolmentTokenMutation();
  const [count, setCount] = useState(1);
  const [madeFor, setMadeFor] = useState(1);
  const [since] = useState(hubNow);
  const remake = () => {
    setMadeFor(count);
    void make({ enrolmentTokenRequest: { account, devices: count } });
  };
  useEffect(remake, [account]);

  return (
    <Stack gap="md">
      <div>
        <Text>{text.intro(accountName)}</Text>
        <Text c="dimmed">{text.needs}</Text>
      </div>
      {made.error ? (
        <Failure title={text.failed} error={made.error} retry={remake} recover={false} />
      ) : made.data ? (
        <Command command={made.data.command} expires={made.data.expires} />
      ) : (
        <Skeleton height={112} radius="sm" />
      )}
      <Group align="flex-end" gap="xs">
        <NumberInput
          label={text.count}
          min={1}
          max={MOST}
          clampBehavior="strict"
          allowDecimal={false}
          w={280}
          value={count}
          onChange={(value) => setCount(Math.max(1, Number(value) || 1))}
        />
        <Button variant={count === madeFor ? 'default' : 'filled'} loading={made.isLoading} onClick={remake}>
          {text.remake}
        </Button>
      </Group>
      <NewDevices account={account} since={since} />
    </Stack>
  );
}

function Command({ command, expires }: { command: string; expires: string }) {
  const left = Date.parse(expires) - useNow(1000);
  const expired = left <= 0;
  return (
    <div>
      <CommandBox command={command} label={text.copy} disabled={expired} />
      <Text size="xs" mt={6} c={expired ? 'var(--state-bad)' : 'dimmed'} role={expired ? 'alert' : undefined}>
        {expired ? text.expired : text.left(countdown(left))}
      </Text>
    </div>
  );
}
