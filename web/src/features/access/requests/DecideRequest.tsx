import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ACCESS_REQUEST_LIMITS } from '@warren/rules/access-requests';
import { useState } from 'react';
import { errorText } from '../../../lib/api/errors.ts';
import type { AccessRequest } from '../../../lib/api/types.ts';
import { requestsApi } from '../../../lib/api/requests.ts';
import { accessRequests } from '../../../lib/messages/access-requests.ts';
import { durationsUpTo } from '../../../lib/request-durations.ts';
import { succeeded } from '../../../lib/toast.ts';
import { ModalFrame } from '../../../ui/ModalFrame.tsx';
import { permissionsText } from '../grant-text.ts';
import { requestedDevices } from './columns.tsx';

const text = accessRequests.decide;

interface DecideRequestProps {
  account: string;
  /** Undefined while none is chosen. */
  request: AccessRequest | undefined;
  onClose: () => void;
}

/** The dialog that approves or denies an access request. */
export function DecideRequest({ account, request, onClose }: DecideRequestProps) {
  return (
    <ModalFrame opened={request !== undefined} onClose={onClose} title={text.title} size={480} focusTitle>
      {request ? <Decision key={request.id} account={account} request={request} onClose={onClose} /> : null}
    </ModalFrame>
  );
}

function Decision({ account, request, onClose }: { account: string; request: AccessRequest; onClose: () => void }) {
  const [approve, approval] = requestsApi.useApproveAccessRequestMutation();
  const [deny, denial] = requestsApi.useDenyAccessRequestMutation();
  const [minutes, setMinutes] = useState(String(request.minutes));
  const [note, setNote] = useState('');
  const isTyped = note.trim() !== '';
  const { id, requester, permissions, reason, decisions } = request;
  const of = { id: account, request: id };
  const error = approval.error ?? denial.error;
  const busy = approval.isLoading || denial.isLoading;
  const decide = async (approves: boolean) => {
    const answer = approves
      ? await approve({ ...of, approveAccessRequest: { minutes: Number(minutes), note: note.trim() } })
      : await deny({ ...of, denyAccessRequest: { note: note.trim() } });
    if (answer.error) return;
    onClose();
    if (approves) succeeded(text.approved, text.approvedDetail(requester.name));
    else succeeded(text.denied, text.deniedDetail(requester.name));
  };
  return (
    <form
      noValidate
      data-unsent={(isTyped && !busy) || undefined}
      data-sending={(isTyped && busy) || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void decide(true);
      }}
    >
      <Stack gap="md">
        {error ? (
          <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
            {errorText(error, text.failed)}
          </Alert>
        ) : null}
        <Text>{text.asks(requester.name, permissionsText(permissions), requestedDevices(request))}</Text>
        <div>
          <Text size="sm" fw={600}>
            {text.reason}
          </Text>
          <Text style={{ overflowWrap: 'anywhere' }}>{reason}</Text>
        </div>
        {decisions[0] ? <Text c="dimmed">{text.given(decisions[0].by.name)}</Text> : null}
        <Select
          label={text.minutes}
          data={durationsUpTo(request.minutes)}
          value={minutes}
          allowDeselect={false}
          onChange={(value) => setMinutes(value ?? String(request.minutes))}
        />
        <TextInput
          label={text.note}
          description={text.noteHelp}
          maxLength={ACCESS_REQUEST_LIMITS.note}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" color="red" disabled={busy} onClick={() => void decide(false)}>
            {text.deny}
          </Button>
          <Button type="submit" loading={busy}>
            {text.approve}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
