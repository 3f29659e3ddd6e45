import type { MessageInitShape } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  Recording,
  TerminalDataSchema,
  TerminalOutputSchema,
  type TerminalRefusal,
} from '@warren/proto/agent/v1/agent';
import { ENVELOPE_HEAD, writeEnvelopeHead } from '@warren/proto/envelope';
import * as z from 'zod';
import type { PtyExit, PtySize } from '../system/pty.ts';
import { signalName } from '../system/signals.ts';
import type { Snapshot } from './snapshots.ts';
import type { TerminalAttachment } from './terminal.ts';

export const size = z.object({ cols: z.int().min(1).max(1000), rows: z.int().min(1).max(1000) });
export const offset = z.bigint().max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);
export const session = z.string().min(1).max(64);
/** The person who asks. */
export const person = z.object({
  userId: z.string().min(1).max(128),
  userEmail: z
    .string()
    .max(320)
    .regex(/^[^\p{Cc}]*$/u, 'has a control character'),
});
/** A request to read a terminal. */
export const follow = person.extend({ session, offset, record: z.boolean() });
export const open = follow.extend({
  session: z.string().max(64),
  size,
  term: z.string().regex(/^[A-Za-z0-9+._-]{0,64}$/, 'not the name of a terminal type'),
  writer: z.string().max(64),
  join: z.boolean(),
  record: z.enum(Recording),
});

const OUTPUT = TerminalOutputSchema.field.data.number;
const OFFSET = TerminalDataSchema.field.offset.number;
const DATA = TerminalDataSchema.field.data.number;

/**
 * Encodes an enveloped `TerminalOutput` up to the output bytes themselves, so that these need not be copied into
 * the message.
 */
export function dataHead(offset: number, length: number): Uint8Array {
  const inner = new BinaryWriter()
    .tag(OFFSET, WireType.Varint)
    .uint64(offset)
    .tag(DATA, WireType.LengthDelimited)
    .uint32(length)
    .finish();
  const outer = new BinaryWriter()
    .tag(OUTPUT, WireType.LengthDelimited)
    .uint32(inner.length + length)
    .finish();
  const head = new Uint8Array(ENVELOPE_HEAD + outer.length + inner.length);
  writeEnvelopeHead(head, 0, outer.length + inner.length + length);
  head.set(outer, ENVELOPE_HEAD);
  head.set(inner, ENVELOPE_HEAD + outer.length);
  return head;
}

type Output = MessageInitShape<typeof TerminalOutputSchema>;

export const refusedMessage = (reason: string, code: TerminalRefusal): Output => ({
  kind: { case: 'refused', value: { reason, code } },
});

export const openedMessage = (attachment: TerminalAttachment): Output => ({
  kind: {
    case: 'opened',
    value: {
      session: attachment.terminal.id,
      offset: BigInt(attachment.from),
      ...typedBy(attachment),
      ...(attachment.role !== 'only' && { joined: true, size: sizeOf(attachment) }),
      recording: attachment.terminal.recorded.mode,
    },
  },
});

const typedBy = ({ terminal, writer }: TerminalAttachment) =>
  writer === '' ? {} : { typed: BigInt(terminal.typed.of(writer)) };

/** A recorder replays the output from its beginning, so it needs the size of that moment. */
const sizeOf = ({ terminal, role, from }: TerminalAttachment): PtySize =>
  (role === 'recorder' && terminal.recorded.at(from)?.size) || terminal.size;

export const acceptedMessage = (typed: number): Output => ({
  kind: { case: 'accepted', value: { typed: BigInt(typed) } },
});

export const exitMessage = ({ code, signal }: PtyExit): Output => ({
  kind: { case: 'exit', value: { code, signal: signal === 0 ? '' : (signalName(signal) ?? String(signal)) } },
});

export const snapshotMessage = ({ offset, data, size }: Snapshot): Output => ({
  kind: { case: 'snapshot', value: { offset: BigInt(offset), data, size } },
});

export const sizeMessage = (value: PtySize): Output => ({ kind: { case: 'size', value } });
