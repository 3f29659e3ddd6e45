import type { DescMethodUnary, DescService } from '@bufbuild/protobuf';
import { Fault } from '../errors/fault.ts';
import { dispatch } from './dispatch.ts';
import { subjectPrefix } from './wire.ts';
import type { RpcHandlers, RpcTransport } from './types.ts';

/** Calls handlers in this process, through the same encoding as the wire: what tests use where another process would be. */
export class LocalTransport implements RpcTransport {
  private readonly services = new Map<string, object>();

  /** Serves every method of a service that `handlers` has; the others answer `unavailable`. */
  serve<S extends DescService>(service: S, handlers: Partial<RpcHandlers<S>>, instance?: string): this {
    this.services.set(subjectPrefix(service, instance), handlers);
    return this;
  }

  call: RpcTransport['call'] = async (method: DescMethodUnary, caller, request, _timeoutMs, instance) => {
    const handlers = this.services.get(subjectPrefix(method.parent, instance));
    if (!handlers || !(method.localName in handlers)) {
      throw new Fault('unavailable', `${method.parent.typeName} is not there.`);
    }
    return dispatch(method, handlers, caller, request);
  };
}
