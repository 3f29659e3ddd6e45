import type { FollowCall, TerminalCall } from '../links/link.calls.ts';
import type { InputKind } from './input.ts';

/** Sends an input to the agent. */
export type InputSender = (kind: InputKind) => void;

/** Sends the inputs of a writer. */
export const writerSender =
  (call: TerminalCall): InputSender =>
  (kind) =>
    call.send({ kind });

/** Sends the inputs of a reader, which only opens and acknowledges. */
export const readerSender =
  (call: FollowCall): InputSender =>
  (kind) => {
    if (kind.case === 'ack') return call.send({ kind });
    if (kind.case !== 'open') return;
    const { session = '', offset = 0n, userId = '', userEmail = '' } = kind.value;
    call.send({ kind: { case: 'open', value: { session, offset, userId, userEmail } } });
  };
