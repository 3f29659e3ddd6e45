import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { DescMethodUnary, DescService } from '@bufbuild/protobuf';
import { Svcm, type Service, type ServiceMsg } from '@nats-io/services';
import { databaseFault } from '../database/database.fault.ts';
import { Fault } from '../errors/fault.ts';
import { isOutage } from '../errors/outage.ts';
import { NatsLink } from './nats.connection.ts';
import { asUnary } from './client.ts';
import { CALLER_KEYS, type CallerKeys } from './caller.keys.ts';
import { decodeCaller, type Caller } from './caller.ts';
import { CallSlots } from './call.slots.ts';
import { dispatch } from './dispatch.ts';
import { SeenCalls } from './seen.calls.ts';
import { claimedSigner, requireRights, verifyCall } from './signature.ts';
import type { RpcHandlers } from './types.ts';
import { encodeFault, HEADER, subjectPrefix } from './wire.ts';
import { InjectServiceInfo, type ServiceInfo } from '../process/service-info.ts';
import { leaveNear, serveNear, type NearAnswer } from './near.calls.ts';
import type { Context } from '@opentelemetry/api';
import { inSpan, SpanKind, traceOf } from '../telemetry/spans.ts';
import { rpcInFlight, rpcServed } from '../telemetry/metrics.ts';

/**
 * Serves proto services over the NATS services framework: queue groups spread the calls over replicas, and
 * `nats micro list` finds them. Handlers register while modules start; subjects open once the whole process is up.
 */
@Injectable()
export class RpcServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RpcServer.name);
  private readonly served: { service: DescService; handlers: object; instance: string | undefined }[] = [];
  private service: Service | undefined;
  private readonly seen = new SeenCalls();
  private readonly slots = new CallSlots();
  private inFlight = 0;
  private idle: (() => void) | undefined;

  constructor(
    private readonly link: NatsLink,
    @InjectServiceInfo() private readonly info: ServiceInfo,
    @Inject(CALLER_KEYS) private readonly keys: CallerKeys,
  ) {}

  /** @param instance name of this process, for a service whose callers choose which of its processes answers */
  serve<S extends DescService>(service: S, handlers: RpcHandlers<S>, instance?: string): void {
    this.served.push({ service, handlers, instance });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.served.length === 0) return;
    this.service = await new Svcm(this.link.connection).add({
      name: this.info.name,
      version: this.info.version,
      queue: this.info.name,
      // For the doctor, who sees it in the answer to `$SRV.PING`.
      metadata: { callers: this.keys.known ? (this.keys.acceptUnsigned ? 'accepted' : 'verified') : 'believed' },
    });
    for (const { service, handlers, instance } of this.served) {
      serveNear(service, instance, (...call) => this.answerNear(handlers, ...call));
      const group = this.service.addGroup(subjectPrefix(service, instance));
      for (const method of service.methods) {
        group.addEndpoint(method.name, (_error, msg) => void this.answer(asUnary(method), handlers, msg));
      }
    }
    // A caller that sees this process ready may call it at once.
    await this.link.connection.flush();
  }

  /** Takes no new calls, and waits for those in flight. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const { service, instance } of this.served) leaveNear(service, instance);
    await this.service?.stop();
    if (this.inFlight > 0) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private async answer(method: DescMethodUnary, handlers: object, msg: ServiceMsg): Promise<void> {
    try {
      const parent = traceOf(msg.headers);
      const run = () => this.run(method, handlers, msg);
      msg.respond(await this.counted(method, () => (parent ? traced(method, run, parent) : run())));
    } catch (error) {
      const { hdrs, body } = encodeFault(error as Fault);
      msg.respond(body, { headers: hdrs });
    }
  }

  /** Answers a service of this process: only its own code can have made the call, so there is no signature. */
  private answerNear(handlers: object, ...[method, caller, request, timeoutMs, from]: Parameters<NearAnswer>) {
    return this.counted(method, async () => {
      requireRights(from, method, caller);
      this.slots.require(from);
      const run = () => this.slots.hold(from, () => dispatch(method, handlers, caller, request));
      return inTime(method, timeoutMs, traced(method, run));
    });
  }

  /** @throws Fault */
  private async counted<T>(method: DescMethodUnary, work: () => Promise<T>): Promise<T> {
    const stop = rpcServed.startTimer({ rpc_service: method.parent.typeName, rpc_method: method.name });
    this.inFlight++;
    rpcInFlight.inc();
    try {
      const answer = await work();
      stop({ code: 'ok' });
      return answer;
    } catch (error) {
      const fault = this.asFault(method, error);
      stop({ code: fault.code });
      throw fault;
    } finally {
      rpcInFlight.dec();
      if (--this.inFlight === 0) this.idle?.();
    }
  }

  private async run(method: DescMethodUnary, handlers: object, msg: ServiceMsg): Promise<Uint8Array> {
    // A false claim takes nobody's slot: the signature is verified before the call holds one, and nothing is awaited in between.
    const signer = claimedSigner(this.keys, msg.headers?.get(HEADER.signature) ?? '');
    this.slots.require(signer);
    const left = Number(msg.headers?.get(HEADER.deadline) || Date.now() + 5_000) - Date.now();
    if (left <= 0) throw new Fault('deadline_exceeded', 'The deadline passed before the call began.');
    const caller = this.callerOf(method, msg);
    return this.slots.hold(signer, () => dispatch(method, handlers, caller, msg.data));
  }

  /** @throws Fault `unauthenticated` for a caller that nobody vouches for */
  private callerOf(method: DescMethodUnary, msg: ServiceMsg): Caller {
    const header = (name: string) => msg.headers?.get(name) ?? '';
    const said = {
      subject: msg.subject,
      deadline: header(HEADER.deadline),
      caller: header(HEADER.caller),
      nonce: header(HEADER.nonce),
      request: msg.data,
    };
    const caller = decodeCaller(said.caller);
    try {
      verifyCall(this.keys, header(HEADER.signature), said, { method, caller, seen: this.seen });
    } catch (error) {
      this.log.warn({ err: error, rpc: `${method.parent.typeName}.${method.name}` }, 'A call was refused.');
      throw error;
    }
    return caller;
  }

  /** Unknown errors are logged whole here and cross the boundary as a bare `internal`, or `unavailable` in an outage. */
  private asFault(method: DescMethodUnary, error: unknown): Fault {
    if (error instanceof Fault && error.code !== 'internal') return error;
    const refused = databaseFault(error);
    if (refused) {
      // Schemas and locks should have kept it from getting this far.
      this.log.warn({ err: error, rpc: `${method.parent.typeName}.${method.name}` }, 'The database refused a call.');
      return refused;
    }
    this.log.error({ err: error, rpc: `${method.parent.typeName}.${method.name}` }, 'A call failed.');
    if (isOutage(error))
      return new Fault('unavailable', 'Something that this needs is down for the moment.', {
        cause: error,
        retryAfter: 2,
      });
    return new Fault('internal', 'Something went wrong on our side.', { cause: error });
  }
}

/** Runs a call as a span of the server, below `parent` or the active span. */
function traced<T>({ parent: { typeName }, name }: DescMethodUnary, work: () => Promise<T>, parent?: Context) {
  const attributes = { 'rpc.system': 'nats', 'rpc.service': typeName, 'rpc.method': name };
  return inSpan({ name: `${typeName}/${name}`, kind: SpanKind.SERVER, attributes, parent }, work);
}

/** Stops waiting at the deadline; late work continues. @throws Fault `deadline_exceeded` */
async function inTime<T>({ parent, name }: DescMethodUnary, timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `${parent.typeName}.${name}: no answer in time.`;
    timer = setTimeout(() => reject(new Fault('deadline_exceeded', text, { retryAfter: 2 })), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
