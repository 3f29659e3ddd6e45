import { Anchor, Popover, Text, UnstyledButton } from '@mantine/core';
import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import { recorded as text } from '../../lib/messages/recorded.ts';
import type { SessionRecording } from '../../sockets/recording.ts';
import { inBar } from './desktop/in-bar.ts';
import classes from './RecordedMark.module.css';

interface RecordedMarkProps {
  kind: 'terminal' | 'desktop';
  recording: SessionRecording;
  /** The person has no account, and so no recordings to look at. */
  guest: boolean;
}

/** Says that a session is recorded, and what that means. */
export function RecordedMark({ kind, recording: { state, mode, reason }, guest }: RecordedMarkProps) {
  return (
    <Popover position="bottom-end" width={320} shadow="md" trapFocus returnFocus {...(kind === 'desktop' && inBar)}>
      <Popover.Target>
        <UnstyledButton className={classes.mark} data-state={state}>
          <IconPlayerRecordFilled size={12} aria-hidden />
          <span className={classes.word}>{text.states[state]}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="sm">
        <Text size="sm" fw={600}>
          {text.states[state]}
        </Text>
        <Text size="sm" mt={4}>
          {state === 'unsupported' ? reason : `${text.about[kind][mode]} ${text.kept[kind]}`}
        </Text>
        {state === 'waiting' ? (
          <Text size="sm" mt={4}>
            {text.waits[kind]} {reason}
          </Text>
        ) : null}
        {state === 'stopped' ? (
          <Text size="sm" mt={4}>
            {text.stopped} {reason}
          </Text>
        ) : null}
        {state === 'interrupted' ? (
          <Text size="sm" mt={4}>
            {text.missing} {reason}
          </Text>
        ) : null}
        {guest ? null : (
          <Anchor component={Link} to="/sessions" size="sm" mt={8} display="inline-block">
            {text.own}
          </Anchor>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
