import { Code, ConnectError } from '@connectrpc/connect';
import { Fault } from '@warren/platform/errors/fault';
import { deviceWords } from '../sockets/words.ts';

/**
 * Words a failed device request for people.
 * @param what the request, as the first word of the text: `Reboot`
 * @returns `failed_precondition` with the agent's reason, or `unavailable` if it did not answer
 */
export function refusalOf(error: unknown, what: string, device: string): Fault {
  const { code, rawMessage } = ConnectError.from(error);
  const refused = { cause: error, subject: `${what} refused` };
  if (code === Code.Unimplemented)
    return new Fault('failed_precondition', `the agent of ${device} is too old for it.`, refused);
  if (code === Code.FailedPrecondition)
    return new Fault('failed_precondition', `${device} says: ${deviceWords(rawMessage)}`, refused);
  return new Fault('unavailable', `${device} did not answer.`, { cause: error });
}
