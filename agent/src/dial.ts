import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { DialStep } from './link/attempt.ts';
import { HubClock } from './link/clock.ts';
import { dialToken, type Hardware } from './link/credential.ts';
import { dial, type Carrier } from './link/dial.ts';
import { dialWithKeys, type KeyRing } from './link/keys.ts';
import { DialRefused } from './link/refusal.ts';
import { loadDevice } from './rotate.ts';
import { separate } from './separate.ts';
import { writeEnrolment, type Enrolment } from './state/enrolment.ts';
import { promotePendingKey, readPendingKeys } from './state/key.ts';
import { readModel } from './system/facts.ts';
import { readHardwareSerial } from './system/serial.ts';

/** The location of the device's key and enrolment, and the context of its dials. */
export interface DialContext {
  folder: string;
  version: string;
  /** Folder of the device tree, if it is not the system's. */
  deviceTree?: string | undefined;
  log: Logger;
  /** Whether this device has pinned terminals. */
  hasPins?: () => boolean;
  /** Called when a step of a dial begins. */
  onStep?: (step: DialStep) => void;
}

/** Dials for one process of the agent: with the stored keys of that moment, and the id that the hub assigned last. */
export function dialAs(enrolled: Enrolment, context: DialContext) {
  const { folder, version, deviceTree, log, hasPins, onStep } = context;
  const { hub } = enrolled;
  const hardware = readHardware(enrolled.serial, deviceTree);
  const clock = new HubClock();
  const instance = randomUUID();
  const keys = keysIn(folder, log);
  let enrolment = enrolled;

  const become = async (id: string): Promise<void> => {
    if (id === enrolment.device_id) return;
    enrolment = { ...enrolment, device_id: id };
    // The hub accepts the former id too, so the link does not depend on the write.
    await writeEnrolment(folder, enrolment).then(
      () => log.info({ device: id }, 'this device has the place of its old entry'),
      (error: unknown) => log.warn({ err: error }, 'the new id of this device could not be stored'),
    );
  };

  const dialOnce = (signal: AbortSignal): Promise<Carrier> =>
    dialWithKeys(keys, async (key) => {
      const token = dialToken(key, enrolment, clock.now(), instance, await hardware);
      const carrier = await dial({ hub, token, version, clock, signal, hasPins: hasPins?.(), onStep });
      if (carrier.device) await become(carrier.device);
      return carrier;
    });

  return async (signal: AbortSignal): Promise<Carrier> => {
    try {
      return await dialOnce(signal);
    } catch (error) {
      const machine = error instanceof DialRefused && error.separates ? await hardware : undefined;
      if (!machine) throw error;
      enrolment = await separate(folder, machine.serial, version);
      log.info({ device: enrolment.device_id }, 'this machine is a separate device now');
      return dialOnce(signal);
    }
  };
}

/** Undefined if other hardware with the same files would be indistinguishable. */
async function readHardware(enrolled: string, deviceTree?: string): Promise<Hardware | undefined> {
  const serial = await readHardwareSerial(enrolled, deviceTree);
  return serial === undefined ? undefined : { serial, model: await readModel(deviceTree) };
}

/** Read for each dial: `warren-agent rotate-key` may have changed them. */
function keysIn(folder: string, log: Logger): KeyRing {
  return {
    current: async () => (await loadDevice(folder)).key,
    pending: () => readPendingKeys(folder),
    // The link works all the same, and the next dial tries again.
    promote: (key) =>
      promotePendingKey(folder, key).then(
        () => log.info('the key that a rotation had left is in place'),
        (error: unknown) => log.warn({ err: error }, 'the new key could not be put in place'),
      ),
  };
}
