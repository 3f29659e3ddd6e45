import { Anchor, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Grant } from '../../lib/api/types.ts';
import { time } from '../../lib/format.ts';
import { access as text } from '../../lib/messages/access.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { devicesOf, permissionsText, subjectOf } from './grant-text.ts';

interface GrantActions {
  edit: (grant: Grant) => void;
  remove: (grant: Grant) => void;
}

/** The columns of the list of grants. @param actions null for people who may not change grants */
export function grantColumns(account: string, actions: GrantActions | null): Column<Grant>[] {
  const menu: Column<Grant> = {
    id: 'actions',
    label: text.columns.actions,
    hiddenLabel: true,
    width: 56,
    align: 'right',
    render: (grant) => <Actions grant={grant} actions={actions} />,
  };
  return [
    {
      id: 'who',
      label: text.columns.who,
      render: (grant) => (
        <span title={grant.note || undefined}>
          {subjectOf(grant)}
          <Text hiddenFrom="sm" size="xs" c="dimmed">
            {permissionsText(grant.permissions)} · {text.sources[grant.source]}
          </Text>
        </span>
      ),
    },
    {
      id: 'permissions',
      label: text.columns.permissions,
      wideOnly: true,
      render: ({ permissions }) => permissionsText(permissions),
    },
    { id: 'devices', label: text.columns.devices, render: (grant) => <Devices account={account} grant={grant} /> },
    {
      id: 'expires',
      label: text.columns.expires,
      width: '18%',
      wideOnly: true,
      render: ({ expires }) => (expires === null ? text.never : time(expires)),
    },
    {
      id: 'source',
      label: text.columns.source,
      width: '22%',
      wideOnly: true,
      render: (grant) => <Source account={account} grant={grant} />,
    },
    ...(actions ? [menu] : []),
  ];
}

/** Where a grant comes from, and who created it or approved its request. */
function Source({ account, grant: { source, note, created_by: by } }: { account: string; grant: Grant }) {
  const isRequest = source === 'request';
  return (
    <>
      {isRequest ? (
        <Anchor component={Link} size="sm" to={`/requests/${account}`} title={note || undefined}>
          {text.sources.request}
        </Anchor>
      ) : (
        text.sources.administrator
      )}
      <Text size="xs" c="dimmed" truncate title={by}>
        {isRequest ? text.approvedBy(by) : by}
      </Text>
    </>
  );
}

function Devices({ account, grant }: { account: string; grant: Grant }) {
  const query = grant.filter ? `?${new URLSearchParams({ filter: grant.filter })}` : '';
  return (
    <Anchor
      component={Link}
      size="sm"
      to={`/devices/${account}${query}`}
      title={grant.filter || undefined}
      {...(grant.filter ? { className: 'mono' } : {})}
    >
      {devicesOf(grant)}
    </Anchor>
  );
}

function Actions({ grant, actions }: { grant: Grant; actions: GrantActions | null }) {
  if (!actions) return null;
  return (
    <RowMenu
      name={text.actionsOf(subjectOf(grant))}
      actions={[
        { label: text.editAction, icon: IconPencil, act: () => actions.edit(grant) },
        { label: text.remove, icon: IconTrash, danger: true, act: () => actions.remove(grant) },
      ]}
    />
  );
}
