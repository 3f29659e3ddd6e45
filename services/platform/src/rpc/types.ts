import type { DescMethodUnary, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Caller } from './caller.ts';

export interface CallOptions {
  /** How long the answer may take, in milliseconds; 5,000 if not given. */
  timeoutMs?: number;
  /** Which process is to answer, where not just any will do: the name that it serves under. */
  instance?: string;
}

type Methods<S extends DescService> = S['method'];

/** A typed client of a service: `client.getDevice(caller, {id})`. Fails with a Fault only. */
export type RpcClient<S extends DescService> = {
  [M in keyof Methods<S>]: Methods<S>[M] extends DescMethodUnary<infer I, infer O>
    ? (caller: Caller, request: MessageInitShape<I>, options?: CallOptions) => Promise<MessageShape<O>>
    : never;
};

/** What a service implements: one method for each rpc, the caller first. */
export type RpcHandlers<S extends DescService> = {
  [M in keyof Methods<S>]: Methods<S>[M] extends DescMethodUnary<infer I, infer O>
    ? (caller: Caller, request: MessageShape<I>) => Promise<MessageInitShape<O>>
    : never;
};

/** Carries one encoded call to a server of its method. Fails with a Fault only. */
export interface RpcTransport {
  call(
    method: DescMethodUnary,
    caller: Caller,
    request: Uint8Array,
    timeoutMs: number,
    instance?: string,
  ): Promise<Uint8Array>;
}
