import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault } from '@warren/platform/errors/fault';

/**
 * Says in words that a unique index was in the way.
 * @throws Fault `already_exists` when it was this index; else whatever `work` throws
 */
export async function unique<T>(index: string, message: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (constraintOf(cause) !== index) throw cause;
    throw new Fault('already_exists', message, { cause });
  }
}
