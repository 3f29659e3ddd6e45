import { toJson } from '@bufbuild/protobuf';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import * as z from 'zod';
import type { EnrolConfig } from './config.ts';
import { EXIT, UserError } from './errors.ts';
import { postToHub } from './link/call.ts';
import { readEnrolment, writeEnrolment, type Enrolment } from './state/enrolment.ts';
import { makeKey, publicText, readKey, signText } from './state/key.ts';
import { readCpuTimes, readFacts } from './system/facts.ts';
import { checkRoom, makePrivateFolder } from './system/files.ts';
import { readSerial } from './system/serial.ts';

const accepted = z.object({ device_id: z.string().min(1), account_name: z.string(), audience: z.string().min(1) });

/**
 * Enrols this device: generates its key, exchanges the token for a device id, and stores both. A device that is already enrolled
 * with this hub and account stays as it is, and its token is not used.
 * @returns the enrolment, and whether it is new
 * @throws UserError when the hub refuses, can't be reached, or the device belongs elsewhere
 */
export async function enrol(config: EnrolConfig, version: string): Promise<{ enrolment: Enrolment; fresh: boolean }> {
  await makePrivateFolder(config.state);
  const existing = await readEnrolment(config.state);
  if (existing) return { enrolment: keepEnrolment(existing, config), fresh: false };
  const key = (await readKey(config.state)) ?? (await makeKey(config.state));
  // The response uses up the token, so it must not be lost.
  await checkRoom(config.state);
  const serial = await readSerial(config.deviceTree);
  const facts = toJson(FactsSchema, await readFacts(await readCpuTimes(), { version }));
  const answer = await post(config.hub, {
    account: config.account,
    token: config.token,
    public_key: publicText(key),
    // Proves possession of the private key.
    proof: signText(key, `warren-enrol:${config.token}`),
    serial,
    facts,
    ...(config.labels === undefined ? {} : { labels: config.labels }),
  });
  const enrolment: Enrolment = {
    hub: config.hub,
    account: config.account,
    ...answer,
    serial,
    shell_user: config.shellUser,
    enrolled_at: new Date().toISOString(),
  };
  await writeEnrolment(config.state, enrolment);
  return { enrolment, fresh: true };
}

function keepEnrolment(existing: Enrolment, config: EnrolConfig): Enrolment {
  if (existing.hub === config.hub && existing.account === config.account) return existing;
  throw new UserError(
    `this device is already enrolled with ${existing.hub}, account ${existing.account_name}; ` +
      `to move it, stop the agent and remove ${config.state} first`,
    EXIT.config,
  );
}

async function post(hub: string, body: unknown): Promise<z.infer<typeof accepted>> {
  const refusal = 'the hub refused to enrol this device';
  return readAccepted((await postToHub(hub, '/agent/enrol', body)).require(201, refusal), refusal);
}

/** Parses the hub's response to an enrolment. @throws UserError that begins with `refusal` when it is invalid */
export function readAccepted(body: unknown, refusal: string): z.infer<typeof accepted> {
  const good = accepted.safeParse(body);
  if (good.success) return good.data;
  throw new UserError(`${refusal}: its answer is not one of a hub`, EXIT.refused);
}
