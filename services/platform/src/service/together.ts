import type { DescMethodUnary, DescService } from '@bufbuild/protobuf';
import type { Caller } from '../rpc/caller.ts';
import { subjectPrefix } from '../rpc/wire.ts';

/** Answers a call of a service in the same process. @throws Fault */
export type NearAnswer = (
  method: DescMethodUnary,
  caller: Caller,
  request: Uint8Array,
  timeoutMs: number,
  from: string,
) => Promise<Uint8Array>;

/** Where several services run in one process: what that is called, and which calls they answer each other without the bus. */
export class Together {
  /** Whether all services have started. */
  started = false;
  private readonly answers = new Map<string, NearAnswer>();

  /** @param name of the process, in logs, metrics and traces */
  constructor(readonly name: string) {}

  /** From now on calls of the service come here. */
  serve(service: DescService, instance: string | undefined, answer: NearAnswer): void {
    this.answers.set(subjectPrefix(service, instance), answer);
  }

  /** From now on they go over the bus. */
  leave(service: DescService, instance: string | undefined): void {
    this.answers.delete(subjectPrefix(service, instance));
  }

  /** Who answers calls of a service here, if anybody does. */
  find(service: DescService, instance: string | undefined): NearAnswer | undefined {
    return this.answers.get(subjectPrefix(service, instance));
  }
}

let present: Together | undefined;

/** Says, before any service is made, that several run in this process. */
export function runTogether(name: string): Together {
  return (present = new Together(name));
}

/** Undefined where a service has its process to itself. */
export const together = (): Together | undefined => present;
