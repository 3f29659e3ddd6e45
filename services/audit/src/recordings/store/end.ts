import type { Audited } from '@warren/platform/audit/audit.event';
import type { EntityManager } from 'typeorm';
import type { ChainKey } from '../../chain/chain.ts';
import type { EventRow } from '../../recording/row.ts';
import { audited, recordingTarget, SYSTEM } from '../audited.ts';
import type { SessionEnd } from '../writer.ts';
import { signEnd } from './chunk.ts';
import { closeRecording, type RecordingRow } from './rows.sql.ts';

const MOST_REASON = 300;

/** Signs and closes a recording that is locked. @returns its event */
export async function endRecording(
  manager: EntityManager,
  row: RecordingRow,
  end: SessionEnd,
  key: ChainKey | undefined,
): Promise<EventRow> {
  const [exit, reason] = 'exit' in end ? [end.exit, ''] : [null, end.reason.slice(0, MOST_REASON)];
  const { id, accountId, chunks, next, hash } = row;
  const ended = new Date();
  const signed = signEnd({ id, accountId, chunks, next, hash, ended, exit, reason }, key);
  await closeRecording(manager, { id, accountId, ended, exit, reason, ...signed });
  return audited(SYSTEM, finished({ ...row, exit, reason }));
}

function finished(row: RecordingRow): Audited {
  const { accountId, chunks, next, bytes, gaps, hash, exit, reason, userEmail } = row;
  const details = { person: userEmail, chunks, end: next, bytes, gaps, hash: hash.toString('hex'), exit, reason };
  return { action: 'recording.finish', accountId, target: recordingTarget(row), details };
}
