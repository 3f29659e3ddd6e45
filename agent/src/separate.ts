import { toJson } from '@bufbuild/protobuf';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { readAccepted } from './enrol.ts';
import { postToHub } from './link/call.ts';
import { loadDevice } from './rotate.ts';
import { writeEnrolment, type Enrolment } from './state/enrolment.ts';
import {
  makeSeparateKey,
  promoteSeparateKey,
  publicText,
  readNextKey,
  readSeparateKey,
  separationText,
  signText,
  type DeviceKey,
} from './state/key.ts';
import { readCpuTimes, readFacts } from './system/facts.ts';

/**
 * Enrols this machine as a separate device with a new key, after an administrator's decision. All keys are kept until the hub's
 * response is stored, so that it may be interrupted anywhere, and repeated. The key of an interrupted rotation is not used: the
 * original machine has it too.
 * @param serial of this hardware
 * @throws UserError when the hub refuses or can't be reached
 */
export async function separate(folder: string, serial: string, version: string): Promise<Enrolment> {
  const { enrolment, key } = await loadDevice(folder);
  const next = await readNextKey(folder);
  const own = (await readSeparateKey(folder)) ?? (await makeSeparateKey(folder));
  const facts = toJson(FactsSchema, await readFacts(await readCpuTimes(), { version }));
  const text = separationText(enrolment.device_id, own);
  const ask = (old: DeviceKey) =>
    postToHub(enrolment.hub, '/agent/separate', {
      device_id: enrolment.device_id,
      serial,
      new_key: publicText(own),
      old_proof: signText(old, text),
      new_proof: signText(own, text),
      facts,
    });
  let answer = await ask(key);
  // The original device has completed the rotation.
  if (answer.status === 401 && next) answer = await ask(next);
  const refusal = 'the hub refused to enrol this machine as a separate device';
  const accepted = readAccepted(answer.require(201, refusal), refusal);
  const separated = { ...enrolment, ...accepted, serial, enrolled_at: new Date().toISOString() };
  await writeEnrolment(folder, separated);
  await promoteSeparateKey(folder);
  return separated;
}
