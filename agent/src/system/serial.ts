import { createHmac } from 'node:crypto';
import { EXIT, UserError } from '../errors.ts';
import { readText } from './files.ts';
import { firmwareText } from './parse.ts';

/** Where a serial may stand, in the order of preference. */
export interface SerialSources {
  deviceTree: string;
  productSerial: string;
  boardSerial: string;
  machineId: string;
}

/**
 * The serial of this device: the board's own (device tree), else the firmware's (DMI), else one derived from the
 * installation's machine-id, which itself must not leave the device (machine-id(5)).
 * @throws UserError when there is none of them
 */
export function chooseSerial(sources: SerialSources): string {
  const firmware = [sources.deviceTree, sources.productSerial, sources.boardSerial].map(firmwareText).find(Boolean);
  if (firmware) return firmware;
  const machineId = sources.machineId.trim();
  if (!/^[0-9a-f]{32}$/.test(machineId)) {
    throw new UserError(
      'this device has no serial: neither device tree, firmware nor /etc/machine-id has one; run systemd-machine-id-setup',
      EXIT.unfit,
    );
  }
  return createHmac('sha256', Buffer.from(machineId, 'hex')).update('warren-serial').digest('hex').slice(0, 32);
}

/** Reads this device's serial. */
export async function readSerial(): Promise<string> {
  const [deviceTree, productSerial, boardSerial, etcId, dbusId] = await Promise.all([
    readText('/proc/device-tree/serial-number'),
    // Only root may read the DMI serials.
    readText('/sys/class/dmi/id/product_serial'),
    readText('/sys/class/dmi/id/board_serial'),
    readText('/etc/machine-id'),
    readText('/var/lib/dbus/machine-id'),
  ]);
  return chooseSerial({ deviceTree, productSerial, boardSerial, machineId: etcId || dbusId });
}
