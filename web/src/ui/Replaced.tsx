import { Button } from '@mantine/core';
import { leave } from '../lib/leave.ts';
import { messages } from '../lib/messages.ts';
import classes from './Replaced.module.css';

/** Says that the hub has a newer console, and leaves it to the reader when to load it. */
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
