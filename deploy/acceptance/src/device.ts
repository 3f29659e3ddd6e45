import { toJson } from '@bufbuild/protobuf';
import { HubClock } from '@warren/agent/link/clock';
import { dialToken } from '@warren/agent/link/credential';
import { dial } from '@warren/agent/link/dial';
import { LinkKeeper } from '@warren/agent/link/keeper';
import { serveLink } from '@warren/agent/link/link';
import { makeKey, publicText, signText, type DeviceKey } from '@warren/agent/state/key';
import { factsOf, simulatedService } from '@warren/bench/simulator/service';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { Hub } from './hub.ts';

const NAME = 'installation-test';
const VERSION = '0.1.0';

interface Enrolled {
  device_id: string;
  audience: string;
}

/** A simulated device with the agent's code for its link: it has facts, and shells that echo. */
export class Device {
  readonly id: string;
  private readonly keeper: LinkKeeper;
  private readonly running: Promise<void>;
  private problem = 'it has not dialled yet';
  private linked = false;
  private refused = false;

  private constructor(at: string, key: DeviceKey, enrolled: Enrolled) {
    this.id = enrolled.device_id;
    const [clock, instance, handler] = [new HubClock(), randomUUID(), simulatedService()];
    this.keeper = new LinkKeeper({
      dial: async (signal) => {
        const token = await dialToken(key, enrolled, clock.now(), instance);
        return dial({ hub: at, token, version: VERSION, clock, signal });
      },
      serve: (carrier) => serveLink(carrier, handler),
      onState: (state, problem, refused) => {
        this.linked = state === 'connected';
        this.refused = refused === true;
        this.problem = problem ?? state;
      },
      log: pino({ level: 'silent' }),
    });
    this.running = this.keeper.run();
  }

  /**
   * Enrols with an agent's call, and links.
   * @param at address that agents are routed to
   */
  static async enrol(hub: Hub, at: string, account: string, token: string): Promise<Device> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-test-'));
    try {
      const key = await makeKey(folder);
      const enrolled = await hub.json<Enrolled>('/agent/enrol', 201, {
        account,
        token,
        serial: `${NAME}-${randomUUID()}`,
        public_key: publicText(key),
        proof: signText(key, `warren-enrol:${token}`),
        facts: toJson(FactsSchema, factsOf(NAME, 0)),
      });
      return new Device(at, key, enrolled);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** @throws Error with the reason of a missing link */
  requireLinked(): void {
    if (!this.linked) throw new Error(this.problem);
  }

  /** @throws Error until the hub refuses it permanently */
  requireRefused(): void {
    if (!this.refused) throw new Error(this.linked ? 'it is linked' : this.problem);
  }

  async stop(): Promise<void> {
    await this.keeper.stop();
    await this.running;
  }
}
