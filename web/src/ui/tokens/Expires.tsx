import { Text } from '@mantine/core';
import { hubNow } from '../../lib/clock.ts';
import { time } from '../../lib/format.ts';
import { tokens as text } from '../../lib/messages/tokens.ts';

const DAY_MS = 86_400_000;

/** Shows in how many days a token expires. */
export function Expires({ at }: { at: string }) {
  const days = Math.ceil((Date.parse(at) - hubNow()) / DAY_MS);
  if (days <= 0)
    return (
      <Text span inherit c="var(--state-bad)">
        {text.expired}
      </Text>
    );
  return (
    <time dateTime={at} title={time(at)}>
      {text.inDays(days)}
    </time>
  );
}
