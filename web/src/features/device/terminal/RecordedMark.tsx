import { Anchor, Popover, Text, UnstyledButton } from '@mantine/core';
import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import { recorded as text } from '../../../lib/messages/recorded.ts';
import type { TerminalRecording } from '../../../sockets/terminal/types.ts';
import classes from './RecordedMark.module.css';

interface RecordedMarkProps {
  recording: TerminalRecording;
  /** The person has no account, and so no recordings to look at. */
  guest: boolean;
}

/** Says that a terminal is recorded, and what that means. */
export function RecordedMark({ recording: { state, mode, reason }, guest }: RecordedMarkProps) {
  return (
    <Popover position="bottom-end" width={320} shadow="md" trapFocus returnFocus>
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
          {state === 'unsupported' ? reason : `${text.about[mode]} ${text.kept}`}
        </Text>
        {state === 'waiting' ? (
          <Text size="sm" mt={4}>
            {text.waits} {reason}
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
