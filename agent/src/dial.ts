import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { HubClock } from './link/clock.ts';
import { dialToken } from './link/credential.ts';
import { dial, type Carrier } from './link/dial.ts';
import { dialWithKeys, type KeyRing } from './link/keys.ts';
import { loadDevice } from './rotate.ts';
import { writeEnrolment, type Enrolment } from './state/enrolment.ts';
import { promoteNextKey, readNextKey } from './state/key.ts';

/** Where the device's key and enrolment are, and whose dials these are. */
export interface DialContext {
  folder: string;
  version: string;
  log: Logger;
}

/** Dials for one process of the agent: with the keys as they are stored then, and by the id that the hub told last. */
export function dialAs(enrolled: Enrolment, { folder, version, log }: DialContext) {
  const { hub } = enrolled;
  const clock = new HubClock();
  const instance = randomUUID();
  const keys = keysIn(folder, log);
  let enrolment = enrolled;

  const become = async (id: string): Promise<void> => {
    if (id === enrolment.device_id) return;
    enrolment = { ...enrolment, device_id: id };
    // The hub takes the former id too, so the link does not depend on it.
    await writeEnrolment(folder, enrolment).then(
      () => log.info({ device: id }, 'this device has the place of its old entry'),
      (error: unknown) => log.warn({ err: error }, 'the new id of this device could not be stored'),
    );
  };

  return (signal: AbortSignal): Promise<Carrier> =>
    dialWithKeys(keys, async (key) => {
      const token = dialToken(key, enrolment, clock.now(), instance);
      const carrier = await dial({ hub, token, version, clock, signal });
      if (carrier.device) await become(carrier.device);
      return carrier;
    });
}

/** Read for each dial, since `warren-agent rotate-key` may have changed them. */
function keysIn(folder: string, log: Logger): KeyRing {
  return {
    current: async () => (await loadDevice(folder)).key,
    next: () => readNextKey(folder),
    // The link is there all the same, and the next dial tries again.
    promote: () =>
      promoteNextKey(folder).then(
        () => log.info('the key that a rotation had left is in place'),
        (error: unknown) => log.warn({ err: error }, 'the new key could not be put in place'),
      ),
  };
}
