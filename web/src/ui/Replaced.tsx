import { Button } from '@mantine/core';
import { leave } from '../lib/leave.ts';
import { messages } from '../lib/messages.ts';
import classes from './Replaced.module.css';

/** Announces a newer console, which the user loads when convenient. */
export function Replaced() {
  return (
    <div role="alert" className={classes.root}>
      {messages.common.newVersion}
      <Button size="xs" onClick={() => leave.reload()}>
        {messages.common.reload}
      </Button>
    </div>
  );
}
