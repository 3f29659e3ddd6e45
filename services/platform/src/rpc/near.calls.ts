import type { DescMethodUnary, DescService } from '@bufbuild/protobuf';
import { together } from '../process/together.ts';
import type { Caller } from './caller.ts';
import { subjectPrefix } from './wire.ts';

/** Answers a call of a service in the same process. @throws Fault */
export type NearAnswer = (
  method: DescMethodUnary,
  caller: Caller,
  request: Uint8Array,
  timeoutMs: number,
  from: string,
) => Promise<Uint8Array>;

const answers = new Map<string, NearAnswer>();

/** Routes calls of a service to `answer` instead of the bus, if several services share this process. */
export function serveNear(service: DescService, instance: string | undefined, answer: NearAnswer): void {
  if (together()) answers.set(subjectPrefix(service, instance), answer);
}

/** Routes calls of a service over the bus again. */
export function leaveNear(service: DescService, instance: string | undefined): void {
  answers.delete(subjectPrefix(service, instance));
}

/** Finds the answerer of calls of a service in this process. */
export function nearAnswer(service: DescService, instance: string | undefined): NearAnswer | undefined {
  return answers.get(subjectPrefix(service, instance));
}
