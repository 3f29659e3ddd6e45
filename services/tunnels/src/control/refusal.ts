import { Code, ConnectError } from '@connectrpc/connect';
import { Fault } from '@warren/platform/errors/fault';
import { deviceWords } from '../sockets/words.ts';

/**
 * What people are told when a device did not do what it was asked for.
 * @param what that, as the first word of the text: `Reboot`
 * @returns `failed_precondition` with the agent's reason, or `unavailable` when it did not answer
 */
export function refusalOf(error: unknown, what: string, device: string): Fault {
  const { code, rawMessage } = ConnectError.from(error);
  const cause = { cause: error };
  if (code === Code.Unimplemented)
    return new Fault('failed_precondition', `${what} refused: the agent of ${device} is too old for it.`, cause);
  if (code === Code.FailedPrecondition)
    return new Fault('failed_precondition', `${what} refused: ${device} says: ${deviceWords(rawMessage)}`, cause);
  return new Fault('unavailable', `Unavailable: ${device} did not answer.`, cause);
}
