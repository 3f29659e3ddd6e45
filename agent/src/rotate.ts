import { EXIT, UserError } from './errors.ts';
import { callHub, postToHub, reasonIn } from './link/call.ts';
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
 * then both are kept; whichever the hub knows opens the next link, so that it may be interrupted anywhere, and be run again. The key that
 * an interrupted rotation left is never the last one: a copy of the device may have it too.
 * @throws UserError when the hub refuses, can't be reached, or the device is not enrolled
 */
export async function rotateKey(folder: string): Promise<void> {
  const pending = await readNextKey(folder);
  if (pending) await changeKey(folder, () => Promise.resolve(pending));
  await changeKey(folder, () => makeNextKey(folder));
}

async function changeKey(folder: string, nextKey: () => Promise<DeviceKey>): Promise<void> {
  const { enrolment, key: old } = await loadDevice(folder);
  const next = await nextKey();
  const answer = await postToHub(enrolment.hub, '/agent/rotate_key', rotation(enrolment, old, next));
  answer.require(200, 'the hub refused to change the key of this device');
  await promoteNextKey(folder);
}

/**
 * Asks the hub to change this device's key to the same one: it answers 200 if it knows the key, and changes nothing. A key that an
 * interrupted rotation left may be the one that the hub knows.
 * @returns the hub's status, and its reason
 * @throws UserError when the device is not enrolled; an error of the system when the key can't be read; Unreachable
 */
export async function proveKey(folder: string): Promise<{ status: number; message: string }> {
  const { enrolment, key } = await loadDevice(folder);
  const next = await readNextKey(folder);
  const ask = (own: DeviceKey) => callHub(enrolment.hub, '/agent/rotate_key', rotation(enrolment, own, own));
  let answer = await ask(key);
  if (answer.status === 401 && next) answer = await ask(next);
  return { status: answer.status, message: reasonIn(answer) };
}

function rotation({ device_id: id }: Enrolment, old: DeviceKey, next: DeviceKey) {
  const text = rotationText(id, old, next);
  return {
    ...{ device_id: id, old_key: publicText(old), new_key: publicText(next) },
    ...{ old_proof: signText(old, text), new_proof: signText(next, text) },
  };
}
