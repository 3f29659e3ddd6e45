import { EXIT, UserError } from './errors.ts';
import { postToHub } from './link/call.ts';
import { readEnrolment, type Enrolment } from './state/enrolment.ts';
import {
  makeNextKey,
  promoteNextKey,
  publicText,
  readKey,
  readNextKey,
  rotationText,
  signText,
  type DeviceKey,
} from './state/key.ts';

/** An enrolled device: who it is, and its key. */
export interface KnownDevice {
  enrolment: Enrolment;
  key: DeviceKey;
}

/**
 * The device that a state folder is of.
 * @throws UserError when it is not enrolled, or a file is damaged
 */
export async function loadDevice(folder: string): Promise<KnownDevice> {
  const enrolment = await readEnrolment(folder);
  const key = await readKey(folder);
  if (enrolment && key) return { enrolment, key };
  throw new UserError(
    `this device is not enrolled (no device and key in ${folder}); run the installer of your hub`,
    EXIT.config,
  );
}

/**
 * Makes a new key, proves to the hub that this device holds it and the one before, and puts it in place when the hub has taken it. Until
 * then both are kept; whichever the hub knows opens the next link, so that it may be interrupted anywhere, and be run again.
 * @throws UserError when the hub refuses, can't be reached, or the device is not enrolled
 */
export async function rotateKey(folder: string): Promise<void> {
  const { enrolment, key: old } = await loadDevice(folder);
  const next = (await readNextKey(folder)) ?? (await makeNextKey(folder));
  const text = rotationText(enrolment.device_id, old, next);
  const answer = await postToHub(enrolment.hub, '/agent/rotate_key', {
    device_id: enrolment.device_id,
    old_key: publicText(old),
    new_key: publicText(next),
    old_proof: signText(old, text),
    new_proof: signText(next, text),
  });
  answer.require(200, 'the hub refused to change the key of this device');
  await promoteNextKey(folder);
}
