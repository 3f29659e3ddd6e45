import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ChannelKind, type ChannelSchema } from '@warren/proto/fleet/v1/notifications';
import type { ChannelKindName } from '@warren/rules/channels';
import type { ChannelEntity } from './channel.entity.ts';

const KINDS: Readonly<Record<ChannelKindName, ChannelKind>> = {
  mail: ChannelKind.MAIL,
  slack: ChannelKind.SLACK,
  teams: ChannelKind.TEAMS,
  webhook: ChannelKind.WEBHOOK,
};

/** A channel as services see it, without its secrets. */
export function channelMessage(row: ChannelEntity): MessageInitShape<typeof ChannelSchema> {
  const { id, accountId, name, minSeverity, afterMinutes, recovery, enabled, lastError } = row;
  return {
    id,
    accountId,
    name,
    kind: KINDS[row.kind],
    target: { addresses: row.addresses, url: row.urlShown },
    minSeverity,
    ...(row.quiet && { quiet: row.quiet }),
    afterMinutes,
    recovery,
    enabled,
    ...(row.lastSuccess && { lastSuccess: timestampFromDate(row.lastSuccess) }),
    ...(row.lastFailure && { lastFailure: timestampFromDate(row.lastFailure) }),
    lastError,
  };
}
