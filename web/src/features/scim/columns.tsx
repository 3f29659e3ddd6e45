import { Button, Text } from '@mantine/core';
import type { ScimToken } from '../../lib/api/types.ts';
import { scim as text } from '../../lib/messages/scim.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { Email } from '../../ui/Email.tsx';
import { Expires } from '../../ui/tokens/Expires.tsx';
import { When } from '../../ui/When.tsx';

/** The columns of the SCIM tokens. */
export function scimColumns(revoke: (token: ScimToken) => void): Column<ScimToken>[] {
  return [
    {
      id: 'token',
      label: text.columns.token,
      render: ({ name, hint, used_at: at }) => (
        <>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed" className="mono">
            {hint}…
          </Text>
          {/* The column has no room on phones. */}
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {text.columns.used} <Used at={at} />
          </Text>
        </>
      ),
    },
    {
      id: 'by',
      label: text.columns.by,
      width: '26%',
      wideOnly: true,
      render: ({ created_by: by }) => <Email address={by} />,
    },
    {
      id: 'used',
      label: text.columns.used,
      width: '18%',
      wideOnly: true,
      render: ({ used_at: at, used_from: from }) => (
        <>
          <Used at={at} />
          {from === '' ? null : (
            <Text size="xs" c="dimmed">
              {text.from(from)}
            </Text>
          )}
        </>
      ),
    },
    { id: 'expires', label: text.columns.expires, width: 120, render: ({ expires_at: at }) => <Expires at={at} /> },
    {
      id: 'actions',
      label: text.columns.actions,
      hiddenLabel: true,
      width: 104,
      align: 'right',
      render: (token) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={text.revokeOf(token.name)}
          onClick={() => revoke(token)}
        >
          {text.revoke}
        </Button>
      ),
    },
  ];
}

const Used = ({ at }: { at: string | null }) => (at === null ? text.never : <When at={at} />);
