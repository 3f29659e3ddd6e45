import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Recording } from '../../../lib/api/types.ts';
import { bytes, duration } from '../../../lib/format.ts';
import { recordings as text } from '../../../lib/messages/recordings.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { TwoLines } from '../../../ui/TwoLines.tsx';
import { When } from '../../../ui/When.tsx';
import { KindIcon } from '../KindIcon.tsx';
import { RecordingEnd, RecordingMarks } from '../RecordingState.tsx';
import { personOf } from '../person.ts';
import { momentPath } from '../times.ts';
import classes from './list.module.css';

/** @param withAccount sessions of several accounts are listed */
export function recordingColumns(withAccount: boolean): Column<Recording>[] {
  return [
    {
      id: 'session',
      label: text.device,
      render: (one) => (
        <TwoLines
          lead={<KindIcon kind={one.kind} />}
          name={
            <Anchor component={Link} to={momentPath(one.id)} size="sm">
              {one.device.name}
            </Anchor>
          }
          note={
            <>
              {personOf(one.person.email)}
              {withAccount ? ` · ${one.account.name}` : null}
              <span className={classes.narrow}>
                <When at={one.started} />
              </span>
            </>
          }
        />
      ),
    },
    { id: 'started', label: text.started, width: 130, wideOnly: true, render: ({ started }) => <When at={started} /> },
    {
      id: 'duration',
      label: text.duration,
      width: 120,
      align: 'right',
      wideOnly: true,
      render: ({ durationMs }) => <span className={classes.number}>{duration(durationMs / 1_000)}</span>,
    },
    {
      id: 'bytes',
      label: text.bytes,
      width: 110,
      align: 'right',
      wideOnly: true,
      render: (one) => <span className={classes.number}>{bytes(one.bytes)}</span>,
    },
    {
      id: 'end',
      label: text.end,
      width: 132,
      render: (one) => (
        <span className={classes.end}>
          <RecordingEnd recording={one} />
          <RecordingMarks recording={one} />
        </span>
      ),
    },
  ];
}
