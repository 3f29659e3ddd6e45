import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault } from '@warren/platform/errors/fault';

/**
 * Converts the violation of a unique index to a Fault.
 * @throws Fault `already_exists` for this index; else whatever `work` throws
 */
export async function unique<T>(index: string, message: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (constraintOf(cause) !== index) throw cause;
    throw new Fault('already_exists', message, { cause });
  }
}
