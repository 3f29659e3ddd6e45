import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Recording } from '../../lib/api/types.ts';
import { bytes, duration, time } from '../../lib/format.ts';
import { player as text } from '../../lib/messages/player.ts';
import { recordings } from '../../lib/messages/recordings.ts';
import { Copied } from '../../ui/Copied.tsx';
import { Fields, type Field } from '../../ui/Fields.tsx';
import { Integrity } from './Integrity.tsx';
import { personOf } from './person.ts';
import { RecordingEnd } from './RecordingState.tsx';

/** What is known of a recording. @param isBroken part of it could not be read, as it was changed in its store */
export function Details({ recording, isBroken }: { recording: Recording; isBroken: boolean }) {
  const { hold } = recording;
  const fields: Field[] = [
    {
      label: text.device,
      value: (
        <Anchor component={Link} size="sm" to={`/devices/${recording.account.id}/${recording.device.id}`}>
          {recording.device.name}
        </Anchor>
      ),
    },
    { label: text.kind, value: recordings.kinds[recording.kind] },
    { label: text.person, value: <span title={recording.person.email}>{personOf(recording.person.email)}</span> },
    { label: text.account, value: recording.account.name || '–' },
    { label: text.started, value: time(recording.started) },
    { label: text.ended, value: recording.ended ? time(recording.ended) : text.isLive },
    { label: text.length, value: duration(recording.durationMs / 1_000) },
    { label: text.result, value: <RecordingEnd recording={recording} /> },
    { label: text.output, value: bytes(recording.bytes) },
    { label: text.stored, value: bytes(recording.stored) },
    { label: text.policy, value: text.policies[recording.policy] },
    { label: text.integrity, value: <Integrity recording={recording} isBroken={isBroken} explains /> },
    ...(hold ? [{ label: text.hold, value: `${hold.reason} (${text.heldBy(hold.by)}, ${time(hold.since)})` }] : []),
    ...(recording.ended
      ? [{ label: text.expires, value: recording.expires ? time(recording.expires) : text.never }]
      : []),
    { label: text.id, value: <Copied label={text.id} value={recording.id} />, mono: true },
  ];
  return <Fields fields={fields} stacked />;
}
