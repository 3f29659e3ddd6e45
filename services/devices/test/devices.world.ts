import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { EnrolmentService } from '../src/enrolment/enrolment.service.ts';
import { TokensService } from '../src/enrolment/tokens.service.ts';
import { user } from './callers.ts';
import { FilterUsers } from './filter.users.ts';
import { devicesDatabase, facts, startAccounts, startDevices } from './devices.process.ts';
import { newPair } from './key.pair.ts';

/** The service with its own database and bus, and the accounts that tenancy knows. */
export class DevicesWorld {
  readonly app: INestApplicationContext;
  readonly source: DataSource;
  readonly superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);
  /** What names saved filters in other services. */
  readonly users: FilterUsers;
  private readonly ending: () => Promise<void>;

  private constructor(app: INestApplicationContext, users: FilterUsers, end: () => Promise<void>) {
    this.app = app;
    this.users = users;
    this.source = app.get(DataSource);
    this.ending = end;
  }

  /**
   * @param names of accounts, by their ids
   * @param prepared creates the database, else a new one with the present schema
   * @param more what else tenancy answers
   */
  static async start(
    names: Map<string, string>,
    prepared: () => Promise<TestDatabase> = devicesDatabase,
    more: Parameters<typeof startAccounts>[2] = {},
  ): Promise<DevicesWorld> {
    const [database, nats] = await Promise.all([prepared(), startNats()]);
    const users = new FilterUsers();
    const tenancy = await startAccounts(nats.url, names, more, users);
    const fleet = await users.startFleet(nats.url);
    const redis = process.env['TEST_REDIS_URL'] ?? '';
    const app = await startDevices({ database: database.url, nats: nats.url, redis });
    return new DevicesWorld(app, users, async () => {
      await app.close();
      await Promise.all([tenancy.close(), fleet.close()]);
      await nats.stop();
      await database.drop();
    });
  }

  /** Enrols a device of the model `Pi 4`, from 81.2.3.4. */
  async enrol(accountId: string, serial = `s-${uuidv7()}`) {
    const { token = '' } = await this.app.get(TokensService).create(this.superAdmin, { accountId, uses: 1 });
    const pair = newPair();
    const { deviceId: id } = await this.app.get(EnrolmentService).enrol(serviceCaller('gateway'), {
      accountId,
      token,
      publicKey: pair.raw,
      proof: pair.sign(`warren-enrol:${token}`),
      serial,
      facts: facts({ model: 'Pi 4' }),
      publicIp: '81.2.3.4',
    });
    return { id, pair, serial };
  }

  end(): Promise<void> {
    return this.ending();
  }
}
