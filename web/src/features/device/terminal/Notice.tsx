import { Anchor, Button, Loader } from '@mantine/core';
import { bytes } from '../../../lib/format.ts';
import { messages } from '../../../lib/messages.ts';
import { useNow } from '../../../ui/useNow.ts';
import { statusReason, statusText, tone } from './status-text.ts';
import type { TerminalControl } from './useTerminal.ts';
import classes from './Terminal.module.css';

const text = messages.terminal;

/** What is wrong and what can be done, over the foot of the screen so that what was drawn stays readable. */
export function Notice({ name, terminal }: { name: string; terminal: TerminalControl }) {
  const { status, gap } = terminal;
  if (status.state === 'connected') {
    return gap > 0 ? (
      <div className={classes.notice} role="status">
        {text.gap(bytes(gap))}
      </div>
    ) : null;
  }
  const busy = status.state === 'connecting' || status.state === 'wait';
  const reason = statusReason(status);
  return (
    <div className={classes.notice} role={tone(status) === 'bad' ? 'alert' : undefined}>
      {busy ? <Loader size={20} aria-hidden /> : null}
      <div className={classes.noticeText}>
        <p className={classes.noticeLine}>{statusText(status, name)}</p>
        {reason ? <p className={classes.noticeReason}>{reason}</p> : null}
        {status.retryAt !== undefined ? <NextTry at={status.retryAt} /> : null}
        <Held terminal={terminal} />
      </div>
      {busy ? null : (
        <Button size="xs" onClick={terminal.reconnect}>
          {text.reconnect}
        </Button>
      )}
    </div>
  );
}

function NextTry({ at }: { at: number }) {
  useNow(250);
  return <p className={classes.noticeReason}>{text.retryIn(Math.max(0, Math.ceil((at - Date.now()) / 1000)))}</p>;
}

/** Typing that waits for the connection must be seen, or it would come as a surprise. */
function Held({ terminal }: { terminal: TerminalControl }) {
  const { keys, full } = terminal.held;
  if (keys === 0 && !full) return null;
  return (
    <p className={classes.held} role="status">
      {text.held(keys)} {full ? text.heldFull : ''}
      <Anchor component="button" type="button" size="xs" onClick={terminal.discardHeld}>
        {text.discard}
      </Anchor>
    </p>
  );
}
