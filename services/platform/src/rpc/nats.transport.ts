import { Inject, Injectable } from '@nestjs/common';
import { errors, type Msg } from '@nats-io/transport-node';
import { Fault } from '../errors/fault.ts';
import { InjectServiceInfo, type ServiceInfo } from '../process/service-info.ts';
import { nearAnswer } from './near.calls.ts';
import { rpcCalled } from '../telemetry/metrics.ts';
import { injectTrace, inSpan, SpanKind } from '../telemetry/spans.ts';
import { CALLER_KEYS, type CallerKeys } from './caller.keys.ts';
import { NatsLink } from './nats.connection.ts';
import type { RpcTransport } from './types.ts';
import { decodeFault, requestHeaders, subjectOf } from './wire.ts';

const RETRY_AFTER_S = 2;

/** Calls over NATS, or within this process if the service runs here, too. Without a server or a bus, a call fails with `unavailable` at once, not after the deadline. */
@Injectable()
export class NatsTransport implements RpcTransport {
  constructor(
    private readonly link: NatsLink,
    @Inject(CALLER_KEYS) private readonly keys: Pick<CallerKeys, 'own'>,
    @InjectServiceInfo() private readonly info: Pick<ServiceInfo, 'name'>,
  ) {}

  call: RpcTransport['call'] = async (...call) => {
    const [method] = call;
    const stop = rpcCalled.startTimer({ rpc_service: method.parent.typeName, rpc_method: method.name });
    const attributes = { 'rpc.system': 'nats', 'rpc.service': method.parent.typeName, 'rpc.method': method.name };
    const span = { name: `${method.parent.typeName}/${method.name}`, kind: SpanKind.CLIENT, attributes };
    try {
      const answer = await inSpan(span, () => this.send(...call));
      stop({ code: 'ok' });
      return answer;
    } catch (error) {
      stop({ code: error instanceof Fault ? error.code : 'internal' });
      throw error;
    }
  };

  private send: RpcTransport['call'] = async (method, caller, request, timeoutMs, instance) => {
    const near = nearAnswer(method.parent, instance);
    if (near) return near(method, caller, request, timeoutMs, this.info.name);
    const name = `${method.parent.typeName}.${method.name}`;
    if (!this.link.ready)
      throw new Fault('unavailable', `${name}: the message bus is down.`, { retryAfter: RETRY_AFTER_S });
    const subject = subjectOf(method, instance);
    const headers = requestHeaders({ subject, caller, deadline: Date.now() + timeoutMs, request }, this.keys.own);
    injectTrace(headers);
    let answer: Msg;
    try {
      answer = await this.link.connection.request(subject, request, {
        timeout: timeoutMs,
        headers,
      });
    } catch (cause) {
      throw asFault(name, cause);
    }
    const fault = decodeFault(answer.headers, answer.data);
    if (fault) throw fault;
    return answer.data;
  };
}

function asFault(name: string, cause: unknown): Fault {
  const noServer = cause instanceof errors.RequestError && cause.isNoResponders();
  if (noServer) return new Fault('unavailable', `no replica serves ${name} now.`, { cause, retryAfter: RETRY_AFTER_S });
  if (cause instanceof errors.TimeoutError) {
    return new Fault('deadline_exceeded', `${name}: no answer in time.`, { cause, retryAfter: RETRY_AFTER_S });
  }
  return new Fault('unavailable', `${name}: the message bus failed.`, { cause, retryAfter: RETRY_AFTER_S });
}
