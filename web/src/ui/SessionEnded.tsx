import { Button, Text } from '@mantine/core';
import { loginPath } from '../lib/hub-paths.ts';
import { messages } from '../lib/messages.ts';
import classes from './SessionEnded.module.css';

const text = messages.unsent;

/** Announces that the session ended while the page has unsaved input; `inline` inside a dialog, which traps the focus. */
export function SessionEnded({ inline = false }: { inline?: boolean }) {
  return (
    <div role="alert" className={classes.root} data-inline={inline || undefined}>
      <div>
        <Text fw={600}>{text.ended}</Text>
        <Text size="sm">{text.endedHelp}</Text>
      </div>
      <Button component="a" href={loginPath('/')} target="_blank" size="xs">
        {text.signIn}
      </Button>
    </div>
  );
}
