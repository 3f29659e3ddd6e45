import { Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { deviceActionsApi } from '../../../lib/api/device-actions.ts';
import type { SavedFilter } from '../../../lib/api/types.ts';
import { fleet } from '../../../lib/messages/fleet.ts';
import { CommandBox } from '../../../ui/CommandBox.tsx';
import { queryOf } from './view.ts';

const text = fleet.views;

type Use = NonNullable<SavedFilter['uses']>[number];

/** How other filters name a view of an account, and which do. */
export function ViewUses({ view, onClose }: { view: SavedFilter; onClose: () => void }) {
  const account = view.account ?? '';
  const { currentData, isError } = deviceActionsApi.useListSavedFiltersQuery(
    { account, uses: 'true' },
    { refetchOnMountOrArgChange: true },
  );
  const viewOf = (id: string) => currentData?.filters.find((one) => one.id === id);
  const uses = viewOf(view.id)?.uses;
  return (
    <Stack gap="md">
      <Text size="sm">{text.usesLead}</Text>
      <CommandBox label={text.copyKey} command={`in:${view.key}`} />
      {uses && uses.length > 0 ? (
        <List size="sm" aria-label={text.uses}>
          {uses.map((use) => (
            <List.Item key={use.id}>
              <Anchor component={Link} to={placeOf(use, account, viewOf(use.id))} size="sm" onClick={onClose}>
                {text.useKinds[use.kind]} {use.name}
              </Anchor>
            </List.Item>
          ))}
        </List>
      ) : (
        <Text role="status" size="sm">
          {uses ? text.usesNone : isError ? text.usesFailed : text.usesLoading}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {text.usesHelp}
      </Text>
    </Stack>
  );
}

/** @param other the view that it is, if it is one */
function placeOf({ kind }: Use, account: string, other: SavedFilter | undefined): string {
  switch (kind) {
    case 'alert_rule':
      return '/alerts/rules';
    case 'alert_silence':
      return '/alerts/silences';
    case 'grant':
      return `/access/${account}`;
    case 'saved_filter':
      return `/devices/${account}${other ? queryOf(other) : ''}`;
  }
}
