import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { ActivityKind, type EnrolRequest } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { deviceChanged } from '../devices/device.event.ts';
import { addressText, check, checkFacts, deviceText } from '../facts/facts.ts';
import { columnsOf, writeUsage } from '../facts/facts.rows.ts';
import { record } from '../history/history.ts';
import { enrolmentText, provesKey } from './proof.ts';
import { keyTaken } from './rotation.service.ts';
import { slugOf } from './slug.ts';
import { TokensService } from './tokens.service.ts';

const SLUG_ATTEMPTS = 5;
const serialText = deviceText(128).trim().min(1, 'expected a serial');

interface NewDevice {
  accountId: string;
  accountName: string;
  serial: string;
  columns: Record<string, string | number>;
}

/** How a device comes in. */
@Injectable()
export class EnrolmentService {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly tokens: TokensService,
  ) {}

  /**
   * Gateway only: trades one use of a token and a public key for a device.
   * @throws Fault `unauthenticated` for a token that is no good or a proof that is wrong, `already_exists` for a key that
   *   is some device's, `invalid_argument` naming each bad field; the token keeps its use then
   */
  async enrol(
    caller: Caller,
    request: Omit<EnrolRequest, '$typeName'>,
  ): Promise<{ deviceId: string; accountName: string }> {
    requireService(caller, 'gateway');
    const { accountId, token, publicKey } = request;
    const serial = check('serial', serialText, request.serial);
    const facts = checkFacts(request.facts);
    const publicIp = check('public_ip', addressText, request.publicIp);
    if (!provesKey(publicKey, request.proof, enrolmentText(token)))
      throw new Fault('unauthenticated', 'Proof: expected an Ed25519 signature of the token by the public key.');
    return this.outbox.transaction(async (manager, emit) => {
      const accountName = await this.tokens.spend(manager, accountId, token);
      const columns = columnsOf(facts, publicIp);
      const deviceId = await insertDevice(manager, { accountId, accountName, serial, columns });
      await insertKey(manager, deviceId, publicKey);
      await writeUsage(manager, [{ deviceId, facts }]);
      const deviceName = facts.hostname;
      await record(manager, [{ kind: ActivityKind.ENROLLED, deviceId, accountId, deviceName }]);
      emit(deviceChanged(deviceId, accountId));
      return { deviceId, accountName };
    });
  }
}

async function insertDevice(manager: EntityManager, device: NewDevice): Promise<string> {
  const { accountId, accountName, serial } = device;
  for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt++) {
    const slug = slugOf(String(device.columns['name']));
    const columns = {
      ...{ id: uuidv7(), account_id: accountId, account_name: accountName, serial, slug },
      ...device.columns,
    };
    const names = Object.keys(columns);
    const [row] = await manager.query<{ id: string }[]>(
      `INSERT INTO devices (${names.join()}) VALUES (${names.map((_, index) => `$${index + 1}`).join()})
       ON CONFLICT (slug) DO NOTHING RETURNING id`,
      Object.values(columns),
    );
    if (row) return row.id;
  }
  throw new Error('No free address was found for a new device.');
}

async function insertKey(manager: EntityManager, deviceId: string, publicKey: Uint8Array): Promise<void> {
  try {
    await manager.query('INSERT INTO device_keys (device_id, public_key) VALUES ($1, $2)', [
      deviceId,
      Buffer.from(publicKey),
    ]);
  } catch (cause) {
    throw keyTaken(cause);
  }
}
