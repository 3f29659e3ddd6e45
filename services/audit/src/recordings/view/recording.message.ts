import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { RecordingSchema } from '@warren/proto/audit/v1/recordings';
import type { ShownRow } from './view.sql.ts';

const DAY_MS = 86_400_000;

/** A recording as it travels between services. @param defaultDays of the installation */
export function recordingMessage(row: ShownRow, defaultDays: number): MessageInitShape<typeof RecordingSchema> {
  const { id, accountId, deviceId, deviceName, kind, userId, userEmail, chunks, gaps, reason, policy, cols, rows } =
    row;
  const days = row.days ?? defaultDays;
  const isKept = !row.ended || row.heldSince !== null;
  return {
    id,
    accountId,
    deviceId,
    deviceName,
    kind,
    userId,
    userEmail,
    started: timestampFromDate(row.started),
    ...(row.ended && { ended: timestampFromDate(row.ended) }),
    durationMs: BigInt(row.durationMs),
    bytes: BigInt(row.bytes),
    stored: BigInt(row.stored),
    chunks,
    gaps,
    gapBytes: BigInt(row.gapBytes),
    ...(row.exit !== null && { exit: row.exit }),
    reason,
    policy,
    cols,
    rows,
    ...(row.heldSince && {
      hold: { since: timestampFromDate(row.heldSince), by: row.heldBy, reason: row.heldReason },
    }),
    signed: row.keyId !== '',
    ...(row.ended && !isKept && { expires: timestampFromDate(new Date(row.ended.getTime() + days * DAY_MS)) }),
    searchable: BigInt(row.searchable),
    terminal: row.terminal,
  };
}
