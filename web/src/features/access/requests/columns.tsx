import { Button, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { AccessRequest } from '../../../lib/api/types.ts';
import { time } from '../../../lib/format.ts';
import { accessRequests as text } from '../../../lib/messages/access-requests.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { RowMenu } from '../../../ui/RowMenu.tsx';
import { devicesOf, permissionsText } from '../grant-text.ts';

interface RequestActions {
  /** Id of the reader. */
  me: string;
  decide: (request: AccessRequest) => void;
  withdraw: (request: AccessRequest) => void;
}

/** The columns of the list of access requests. */
export function requestColumns(actions: RequestActions): Column<AccessRequest>[] {
  return [
    { id: 'who', label: text.columns.who, render: (request) => <Who request={request} /> },
    {
      id: 'may',
      label: text.columns.may,
      wideOnly: true,
      render: ({ permissions }) => permissionsText(permissions),
    },
    { id: 'devices', label: text.columns.devices, wideOnly: true, render: (request) => <Devices request={request} /> },
    {
      id: 'minutes',
      label: text.columns.minutes,
      width: 110,
      wideOnly: true,
      render: ({ minutes }) => text.duration(minutes),
    },
    { id: 'state', label: text.columns.state, width: '24%', render: (request) => <State request={request} /> },
    {
      id: 'actions',
      label: text.columns.actions,
      hiddenLabel: true,
      width: 104,
      align: 'right',
      render: (request) => <Actions request={request} actions={actions} />,
    },
  ];
}

/** Names the devices of a request. */
export const requestedDevices = (request: AccessRequest): string => request.device?.name ?? devicesOf(request);

function Who({ request }: { request: AccessRequest }) {
  const { requester, reason, permissions } = request;
  return (
    <span title={reason}>
      {requester.name}
      <Text hiddenFrom="sm" size="xs">
        {text.asked(permissionsText(permissions), requestedDevices(request))}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {reason}
      </Text>
    </span>
  );
}

function Devices({ request }: { request: AccessRequest }) {
  const { device, filter } = request;
  if (device) return <span>{device.name}</span>;
  return <span {...(filter ? { className: 'mono' } : {})}>{requestedDevices(request)}</span>;
}

function State({ request }: { request: AccessRequest }) {
  const { state, expires, grant_expires: until, decisions, approvals_needed: needed } = request;
  const last = decisions.at(-1);
  const details = {
    open: decisions.length > 0 ? text.approvals(decisions.length, needed) : text.expires(time(expires)),
    approved: until === null ? '' : text.until(time(until)),
    denied: last ? text.by(last.by.name) : '',
    withdrawn: '',
    expired: '',
  } satisfies Record<AccessRequest['state'], string>;
  return (
    <span title={last?.note || undefined}>
      {text.states[state]}
      <Text size="xs" c="dimmed" truncate>
        {details[state]}
      </Text>
    </span>
  );
}

function Actions({ request, actions }: { request: AccessRequest; actions: RequestActions }) {
  const { requester, state, decidable } = request;
  if (decidable)
    return (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${text.decide.action}: ${text.actionsOf(requester.name)}`}
        onClick={() => actions.decide(request)}
      >
        {text.decide.action}
      </Button>
    );
  if (state !== 'open' || requester.id !== actions.me) return null;
  return (
    <RowMenu
      name={text.actionsOf(requester.name)}
      actions={[{ label: text.withdraw.action, icon: IconArrowBackUp, act: () => actions.withdraw(request) }]}
    />
  );
}
