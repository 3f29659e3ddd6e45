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

/** An enrolled device: its enrolment and its key. */
export interface KnownDevice {
  enrolment: Enrolment;
  key: DeviceKey;
}

/**
 * Reads the device of a state folder.
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
 * Makes a new key, proves possession of it and of the former one to the hub, and makes it current once the hub has accepted it. Until
 * then both are kept, and the one that the hub knows opens the next link. So the rotation may be interrupted anywhere, and repeated. The
 * key of an interrupted rotation never becomes the final one: a copy of the device may have it too.
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
 * Asks the hub to change this device's key to the same one: the hub answers 200 if it knows the key, and changes nothing. It may
 * know the key of an interrupted rotation instead.
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
    device_id: id,
    old_key: publicText(old),
    new_key: publicText(next),
    old_proof: signText(old, text),
    new_proof: signText(next, text),
  };
}
