import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { updatesApi } from '../../lib/api/updates.ts';
import { updates } from '../../lib/messages/updates.ts';

/** Shows a newer version of the agent, with a link to the update; renders nothing without one. */
export function AvailableUpdate({ version }: { version: string }) {
  const { currentData } = updatesApi.useListReleasesQuery({ than: version }, { skip: version === '' });
  if (!currentData?.newer) return null;
  return (
    <Text size="sm">
      {updates.available(currentData.newer)}{' '}
      <Anchor component={Link} to="/updates" size="sm">
        {updates.see}
      </Anchor>
    </Text>
  );
}
