import { Anchor, Button, Loader } from '@mantine/core';
import { bytes } from '../../../lib/format.ts';
import { messages } from '../../../lib/messages.ts';
import { terminals as lasting } from '../../../lib/messages/terminals.ts';
import { useNow } from '../../../ui/useNow.ts';
import { statusReason, statusText, tone } from './status-text.ts';
import type { TerminalControl } from './useTerminal.ts';
import frame from '../Session.module.css';
import classes from './Terminal.module.css';

const text = messages.terminal;

/** The problem and the next step, over the foot of the screen so that the output stays readable. */
export function Notice({ name, terminal }: { name: string; terminal: TerminalControl }) {
  const { status } = terminal;
  if (status.state === 'connected') return <Losses terminal={terminal} />;
  const busy = status.state === 'connecting' || status.state === 'wait';
  const reason = statusReason(status);
  return (
    <div className={classes.notice} role={tone(status) === 'bad' ? 'alert' : undefined}>
      {busy ? <Loader size={20} aria-hidden /> : null}
      <div className={frame.noticeText}>
        <p className={frame.noticeLine}>{statusText(status, name)}</p>
        {reason ? <p className={frame.noticeReason}>{reason}</p> : null}
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

/** Lost or uncertain bytes after a reconnect. */
function Losses({ terminal }: { terminal: TerminalControl }) {
  const { gap, unsure, held } = terminal;
  if (gap === 0 && unsure === 0 && !held.full) return null;
  return (
    <div className={classes.notice} role="status">
      <div className={frame.noticeText}>
        {gap > 0 ? <p className={frame.noticeLine}>{text.gap(bytes(gap))}</p> : null}
        {unsure > 0 ? <p className={frame.noticeLine}>{lasting.unsure(bytes(unsure))}</p> : null}
        {held.full ? <p className={frame.noticeLine}>{lasting.full}</p> : null}
      </div>
    </div>
  );
}

function NextTry({ at }: { at: number }) {
  useNow(250);
  return <p className={frame.noticeReason}>{text.retryIn(Math.max(0, Math.ceil((at - Date.now()) / 1000)))}</p>;
}

/** Buffered input must be visible, or it would be a surprise after the reconnect. */
function Held({ terminal }: { terminal: TerminalControl }) {
  const { keys, full } = terminal.held;
  if (keys === 0 && !full) return null;
  return (
    <p className={classes.held} role="status" data-unsent>
      {text.held(keys)} {full ? text.heldFull : ''}
      <Anchor component="button" type="button" size="xs" onClick={terminal.discardHeld}>
        {text.discard}
      </Anchor>
    </p>
  );
}
