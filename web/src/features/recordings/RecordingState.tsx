import { Tooltip } from '@mantine/core';
import { IconLock, IconUnlink } from '@tabler/icons-react';
import type { Recording } from '../../lib/api/types.ts';
import { bytes } from '../../lib/format.ts';
import { recordings as text } from '../../lib/messages/recordings.ts';
import classes from './RecordingState.module.css';

/** How a session ended, or that it is live. */
export function RecordingEnd({ recording: { kind, ended, exit, reason } }: { recording: Recording }) {
  if (ended === null)
    return (
      <span className={classes.live}>
        <span className={classes.dot} aria-hidden />
        {text.live}
      </span>
    );
  if (exit !== null) return <span data-exit={exit === 0 ? 'good' : 'other'}>{text.exit(exit)}</span>;
  // A desktop has no exit code: its reason says who ended it.
  const isWhole = reason === '' || kind === 'desktop';
  return (
    <Tooltip label={reason} disabled={reason === ''} multiline maw={320}>
      <span>{isWhole ? text.ended : text.interrupted}</span>
    </Tooltip>
  );
}

/** Marks of what is unusual: missing output, and a legal hold. */
export function RecordingMarks({ recording: { gaps, gapBytes, hold } }: { recording: Recording }) {
  return (
    <>
      {gaps > 0 ? <MarkIcon icon={IconUnlink} tone="warn" label={text.gaps(gaps, bytes(gapBytes))} /> : null}
      {hold ? <MarkIcon icon={IconLock} tone="plain" label={text.held(hold.by, hold.reason)} /> : null}
    </>
  );
}

interface MarkIconProps {
  icon: typeof IconLock;
  tone: 'warn' | 'plain';
  label: string;
}

function MarkIcon({ icon: Icon, tone, label }: MarkIconProps) {
  return (
    <Tooltip label={label} multiline maw={320}>
      <span className={classes.mark} data-tone={tone} role="img" aria-label={label}>
        <Icon size={16} aria-hidden />
      </span>
    </Tooltip>
  );
}
