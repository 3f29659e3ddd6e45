import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ChannelKind, type ChannelSchema } from '@warren/proto/fleet/v1/notifications';
import type { ChannelKindName } from '@warren/rules/channels';
import type { ChannelRow } from './channels.sql.ts';

const KINDS: Readonly<Record<ChannelKindName, ChannelKind>> = {
  mail: ChannelKind.MAIL,
  slack: ChannelKind.SLACK,
  teams: ChannelKind.TEAMS,
  webhook: ChannelKind.WEBHOOK,
};

/** A channel as services see it, without its secrets. */
export function channelMessage(row: ChannelRow): MessageInitShape<typeof ChannelSchema> {
  const { id, name, recovery, enabled } = row;
  return {
    id,
    accountId: row.account_id,
    name,
    kind: KINDS[row.kind],
    target: { addresses: row.addresses, url: row.url_shown },
    minSeverity: row.min_severity,
    ...(row.quiet && { quiet: row.quiet }),
    afterMinutes: row.after_minutes,
    recovery,
    enabled,
    ...(row.last_success && { lastSuccess: timestampFromDate(row.last_success) }),
    ...(row.last_failure && { lastFailure: timestampFromDate(row.last_failure) }),
    lastError: row.last_error,
  };
}
