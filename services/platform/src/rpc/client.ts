import {
  create,
  fromBinary,
  toBinary,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
} from '@bufbuild/protobuf';
import type { Caller } from './caller.ts';
import type { CallOptions, RpcClient, RpcTransport } from './types.ts';

const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * Makes a typed client of a proto service over a transport.
 * @throws Error at once for a service with a streaming method; those run inside the agent link, not here
 */
export function createRpcClient<S extends DescService>(service: S, transport: RpcTransport): RpcClient<S> {
  const methods = service.methods.map((method) => [method.localName, unary(asUnary(method), transport)] as const);
  return Object.fromEntries(methods) as RpcClient<S>;
}

/** @throws Error for a streaming method */
export function asUnary(method: DescMethod): DescMethodUnary {
  if (method.methodKind !== 'unary') throw new Error(`${method.parent.typeName}.${method.name} is not unary.`);
  return method as DescMethodUnary;
}

function unary(method: DescMethodUnary, transport: RpcTransport) {
  return async (caller: Caller, request: Record<string, unknown>, options: CallOptions = {}) => {
    const bytes = toBinary(method.input, create(method.input, request));
    const { timeoutMs = DEFAULT_TIMEOUT_MS, instance } = options;
    const answer = await transport.call(method, caller, bytes, timeoutMs, instance);
    return fromBinary(method.output, answer);
  };
}
