import { ActivityKind } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { CheckedFacts } from '../facts/facts.ts';
import { columnsOf, writeFacts } from '../facts/facts.sql.ts';
import { record } from '../history/history.ts';
import { insertDevice, insertKey } from './enrolment.sql.ts';
import { keyTaken } from './rotation.service.ts';
import { slugOf } from './slug.ts';

const SLUG_ATTEMPTS = 5;

/** A device to admit; its facts, serial and key are verified. */
export interface Admitted {
  accountId: string;
  accountName: string;
  serial: string;
  facts: CheckedFacts;
  /** Empty if unknown. */
  publicIp: string;
  /** Ed25519 public key, 32 bytes. */
  publicKey: Uint8Array;
  /** Name of the person who decided it. */
  actor?: string;
}

/**
 * Adds a device with its key, facts and first history event, in the caller's transaction.
 * @returns its id
 * @throws Fault `already_exists` for another device's key
 */
export async function admitDevice(manager: EntityManager, device: Admitted): Promise<string> {
  const { accountId, facts, publicKey, actor } = device;
  const deviceId = await addDevice(manager, device);
  await addKey(manager, deviceId, publicKey);
  await writeFacts(manager, [{ deviceId, facts }]);
  const enrolled = { kind: ActivityKind.ENROLLED, deviceId, accountId, deviceName: facts.hostname };
  await record(manager, [{ ...enrolled, ...(actor === undefined ? {} : { actor }) }]);
  return deviceId;
}

async function addDevice(manager: EntityManager, device: Admitted): Promise<string> {
  const { accountId, accountName, serial, facts, publicIp } = device;
  for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt++) {
    const columns = {
      id: uuidv7(),
      account_id: accountId,
      account_name: accountName,
      serial,
      slug: slugOf(facts.hostname),
      ...columnsOf(facts, publicIp),
    };
    const id = await insertDevice(manager, columns);
    if (id !== undefined) return id;
  }
  throw new Error('No free address was found for a new device.');
}

async function addKey(manager: EntityManager, deviceId: string, publicKey: Uint8Array): Promise<void> {
  try {
    await insertKey(manager, deviceId, publicKey);
  } catch (cause) {
    throw keyTaken(cause);
  }
}
