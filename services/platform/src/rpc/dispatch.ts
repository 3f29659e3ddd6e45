import { create, fromBinary, toBinary, type DescMethodUnary } from '@bufbuild/protobuf';
import { Fault } from '../errors/fault.ts';
import type { Caller } from './caller.ts';

type Handler = (caller: Caller, request: never) => Promise<Record<string, unknown>>;

/**
 * Decodes a request, calls the handler, encodes its answer.
 * @throws Fault as the handler throws it; `invalid_argument` for bytes that are no such message; whatever else the handler throws
 */
export async function dispatch(
  method: DescMethodUnary,
  handlers: object,
  caller: Caller,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const handler = (handlers as Record<string, Handler | undefined>)[method.localName];
  if (!handler) throw new Fault('internal', `${method.parent.typeName}.${method.name} has no handler.`);
  const answer = await handler.call(handlers, caller, decode(method, bytes) as never);
  return toBinary(method.output, create(method.output, answer));
}

function decode(method: DescMethodUnary, bytes: Uint8Array) {
  try {
    return fromBinary(method.input, bytes);
  } catch (cause) {
    throw new Fault('invalid_argument', `The request is no ${method.input.typeName}.`, { cause });
  }
}
