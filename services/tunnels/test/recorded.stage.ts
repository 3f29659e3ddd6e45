import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { until } from '@warren/infra/until';
import { RECORDINGS } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Links } from '../src/links/links.ts';
import { RecordedSources } from '../src/recordings/recorded.sources.ts';
import type { FakeAgent, FakeAgentOptions, TestDevice } from './fake.agent.ts';
import { Recorder } from './recorder.ts';
import { World } from './world.ts';

/** The device of a test whose sessions are recorded, and its recorders, within the hooks of a suite. */
export class RecordedStage {
  world!: World;
  device!: TestDevice;
  agent!: FakeAgent;
  /** Number of the next claim. */
  claim = 1n;
  private readonly recorders: Recorder[] = [];

  constructor() {
    beforeAll(async () => {
      const servers = { redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' };
      this.world = await World.start(servers);
    });
    beforeEach(() => {
      this.device = this.world.neighbours.device();
    });
    afterEach(() => {
      for (const recorder of this.recorders.splice(0)) recorder.close();
      this.agent?.close();
    });
    afterAll(async () => this.world?.stop());
  }

  get sources(): RecordedSources {
    return this.world.app.get(RecordedSources);
  }

  async link(options: FakeAgentOptions = {}): Promise<void> {
    this.agent = await this.world.agent(this.device, options);
    await until(() => this.world.app.get(Links).get(this.device.id) !== undefined);
  }

  /** Ids of the sessions of this device that are announced. */
  async announced(): Promise<string[]> {
    const members = await this.world.app.get(RedisLink).client.zrange(RECORDINGS.terminals, 0, -1);
    return members.filter((one) => one.includes(this.device.id)).map((one) => one.split('/')[2] ?? '');
  }

  ticketFor(session: string, claim = this.claim++): string {
    const of = { deviceId: this.device.id, session, claim };
    return this.sources.recordTerminal(serviceCaller('audit'), of).ticket;
  }

  /** Opens the stream of a recorder, which ends with the test. */
  async dial(ticket: string): Promise<Recorder> {
    const recorder = await Recorder.dial(this.world.url, ticket);
    if (!(recorder instanceof Recorder)) throw new Error(`refused with ${recorder}`);
    this.recorders.push(recorder);
    return recorder;
  }

  /** Waits for an announcement of this device, and reads its session. */
  async record(kind: 'terminal' | 'desktop', from = 0): Promise<Recorder & { session: string }> {
    await until(async () => (await this.announced()).length > 0);
    const [session = ''] = await this.announced();
    const recorder = await this.dial(this.ticketFor(session));
    await recorder.terminal(kind);
    recorder.send({ case: 'from', value: BigInt(from) });
    return Object.assign(recorder, { session });
  }
}
