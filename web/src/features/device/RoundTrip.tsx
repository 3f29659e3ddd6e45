import { Text } from '@mantine/core';
import { linkApi } from '../../lib/api/generated/link.ts';
import { link as text } from '../../lib/messages/link.ts';

const EVERY_MS = 5_000;

/** The round-trip time to a connected device, measured repeatedly while it is shown. */
export function RoundTrip({ id }: { id: string }) {
  const { currentData, error } = linkApi.useGetRoundTripQuery(
    { id },
    { pollingInterval: EVERY_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  return (
    <Text size="sm" c="dimmed">
      {text.roundTrip}{' '}
      <span className="mono">{currentData && !error ? text.milliseconds(currentData.round_trip) : '–'}</span>
    </Text>
  );
}
