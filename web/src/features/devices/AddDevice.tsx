import { Alert, Anchor, Button, Group, NumberInput, Skeleton, Stack, TagsInput, Text } from '@mantine/core';
import { parseLabels } from '@warren/rules/labels';
import { LIMITS } from '@warren/rules/limits';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import { hubNow } from '../../lib/clock.ts';
import { countdown } from '../../lib/format.ts';
import { fleet } from '../../lib/messages/fleet.ts';
import { limits } from '../../lib/messages/limits.ts';
import { messages } from '../../lib/messages.ts';
import { failed } from '../../lib/toast.ts';
import { CommandBox } from '../../ui/CommandBox.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { useNow } from '../../ui/useNow.ts';
import { NewDevices } from './NewDevices.tsx';

const text = messages.addDevice;

/** The command that installs the agent, created for this dialog, and the devices that have used it. */
export function AddDevice({ account, accountName }: { account: string; accountName: string }) {
  const [make, made] = deviceActionsApi.useCreateEnrolmentTokenMutation();
  const [count, setCount] = useState(1);
  const [labels, setLabels] = useState<string[]>([]);
  const [madeFor, setMadeFor] = useState({ count: 1, labels: '' });
  const [since] = useState(hubNow);
  const parsed = parseLabels(labels.join());
  const isMade = count === madeFor.count && labels.join() === madeFor.labels;
  const remake = () => {
    if (!('labels' in parsed)) return;
    setMadeFor({ count, labels: labels.join() });
    void make({ enrolmentTokenRequest: { account, devices: count, labels: parsed.labels } });
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
        <>
          {made.data.room !== null && made.data.room < madeFor.count ? (
            <Room left={made.data.room} account={account} />
          ) : null}
          <Command key={made.data.id} account={account} made={made.data} />
        </>
      ) : (
        <Skeleton height={112} radius="sm" />
      )}
      <TagsInput
        label={fleet.labels.title}
        description={fleet.labels.setHelp}
        value={labels}
        error={'message' in parsed ? fleet.labels.problem(parsed.part, parsed.message) : undefined}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        onChange={setLabels}
      />
      <Group align="flex-end" gap="xs">
        <NumberInput
          label={text.count}
          min={1}
          max={LIMITS.enrolDevices}
          clampBehavior="strict"
          allowDecimal={false}
          w={280}
          value={count}
          onChange={(value) => setCount(Math.max(1, Number(value) || 1))}
        />
        <Button variant={isMade ? 'default' : 'filled'} loading={made.isLoading} onClick={remake}>
          {text.remake}
        </Button>
      </Group>
      <NewDevices account={account} since={since} />
    </Stack>
  );
}

/** The account has room for fewer devices than the command is valid for. */
function Room({ left, account }: { left: number; account: string }) {
  return (
    <Alert color="yellow" variant="light" role="alert">
      {limits.room(left)}{' '}
      <Anchor component={Link} to={`/limits/${account}`}>
        {limits.look}
      </Anchor>
    </Alert>
  );
}

interface CommandProps {
  account: string;
  made: { id: string; command: string; expires: string };
}

/** The valid command, and a button to revoke it at once: it may have been shown to more people than intended. */
function Command({ account, made: { id, command, expires } }: CommandProps) {
  const [revoke, state] = deviceActionsApi.useRevokeEnrolmentTokenMutation();
  const left = Date.parse(expires) - useNow(1000);
  const over = state.isSuccess ? text.revoked : left <= 0 ? text.expired : undefined;
  const end = () =>
    void revoke({ account, id })
      .unwrap()
      .catch((error: unknown) => failed(error));
  return (
    <div>
      <CommandBox command={command} label={text.copy} disabled={over !== undefined} />
      <Group justify="space-between" mt={6}>
        <Text size="xs" c={over ? 'var(--state-bad)' : 'dimmed'} role={over ? 'alert' : undefined}>
          {over ?? text.left(countdown(left))}
        </Text>
        {over ? null : (
          <Button size="compact-xs" variant="subtle" color="red" loading={state.isLoading} onClick={end}>
            {text.revoke}
          </Button>
        )}
      </Group>
    </div>
  );
}
