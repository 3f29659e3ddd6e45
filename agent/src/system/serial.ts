import { createHmac } from 'node:crypto';
import { EXIT, UserError } from '../errors.ts';
import { readText } from './files.ts';
import { firmwareText } from './parse.ts';

/** Possible locations of a serial, in the order of preference. */
export interface SerialSources {
  deviceTree: string;
  productSerial: string;
  boardSerial: string;
  machineId: string;
}

/**
 * The serial of this device: the board's own (device tree), else the firmware's (DMI), else one derived from the
 * installation's machine-id, which itself must not leave the device (machine-id(5)).
 * @throws UserError when none exists
 */
export function chooseSerial(sources: SerialSources): string {
  const serial = firmwareSerial(sources) ?? installationSerial(sources);
  if (serial !== undefined) return serial;
  throw new UserError(
    'this device has no serial: neither device tree, firmware nor /etc/machine-id has one; run systemd-machine-id-setup',
    EXIT.unfit,
  );
}

/**
 * Chooses the serial that distinguishes this hardware from other hardware with the same files; undefined where it is unreadable, or the
 * device was enrolled with the serial of its installation, which copies share.
 * @param enrolled the serial of the enrolment
 */
export function chooseHardwareSerial(sources: SerialSources, enrolled: string): string | undefined {
  return enrolled === installationSerial(sources) ? undefined : firmwareSerial(sources);
}

/**
 * Reads this device's serial.
 * @param deviceTree folder of the device tree
 * @throws UserError when there is none
 */
export async function readSerial(deviceTree?: string): Promise<string> {
  return chooseSerial(await readSources(deviceTree));
}

/**
 * Reads the serial of this hardware; see {@link chooseHardwareSerial}.
 * @param deviceTree folder of the device tree
 */
export async function readHardwareSerial(enrolled: string, deviceTree?: string): Promise<string | undefined> {
  return chooseHardwareSerial(await readSources(deviceTree), enrolled);
}

function firmwareSerial({ deviceTree, productSerial, boardSerial }: SerialSources): string | undefined {
  return [deviceTree, productSerial, boardSerial].map(firmwareText).find(Boolean);
}

function installationSerial(sources: SerialSources): string | undefined {
  const machineId = sources.machineId.trim();
  if (!/^[0-9a-f]{32}$/.test(machineId)) return undefined;
  return createHmac('sha256', Buffer.from(machineId, 'hex')).update('warren-serial').digest('hex').slice(0, 32);
}

async function readSources(tree = '/proc/device-tree'): Promise<SerialSources> {
  const [deviceTree, productSerial, boardSerial, etcId, dbusId] = await Promise.all([
    readText(`${tree}/serial-number`),
    // Only root may read the DMI serials.
    readText('/sys/class/dmi/id/product_serial'),
    readText('/sys/class/dmi/id/board_serial'),
    readText('/etc/machine-id'),
    readText('/var/lib/dbus/machine-id'),
  ]);
  return { deviceTree, productSerial, boardSerial, machineId: etcId || dbusId };
}
