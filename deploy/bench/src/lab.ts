import { dirname, join } from 'node:path';
import { operatorEmail } from '@warren/local/people';
import type { Link } from '@warren/local/steps/agent';
import { startWarren, type StartOptions, type Warren } from '@warren/local/warren';
import type { Extra } from './extras.ts';
import { signIn, type Hub } from './hub.ts';
import type { Way } from './simulator/gateways.ts';
import type { Rounds } from './rounds.ts';
import type { Row } from './table.ts';

/** A table of a bench. */
export interface Report {
  title: string;
  /** Notes below the table: explanations and omissions. */
  notes: string[];
  head: string[];
  rows: Row[];
  /** Whether to show the ratio to the first row in brackets; defaults to true. */
  ratio?: boolean;
}

/** Options of a run. */
export interface Choice extends Rounds {
  /** Keystrokes of one round, requests of one list. */
  samples: number;
  /** Megabytes of one bulk transfer. */
  megabytes: number;
  /** Simulated agents of the largest fleet. */
  agents: number;
  /** Devices of a bulk job. */
  devices: number;
  /** Time limit for a fleet to link, in seconds. */
  patience: number;
  /** How fleets reach the hub. */
  ways: Way[];
  /** How the device of the other benches links, and how its sockets and web services are reached. */
  way: Link;
  /** Peers that are measured on request. */
  with: Extra[];
}

/** A running Warren with a person signed in, whose first device is this machine. */
export interface Product {
  warren: Warren;
  hub: Hub;
  deviceId: string;
  /** Where the device's sockets and web service are opened, by the chosen way. */
  at: string;
}

/** A measurement; its name is the one in benches.ts. */
export interface Bench {
  run(lab: Lab): Promise<Report[]>;
}

/** What the benches of a run share: the product, the options, and cleanups. */
export class Lab {
  readonly choice: Choice;
  private product: Promise<Product> | undefined;
  private readonly endings: (() => Promise<unknown>)[] = [];
  private ended: Promise<void> = Promise.resolve();

  constructor(choice: Choice) {
    this.choice = choice;
  }

  /** Returns the shared Warren of the run; the first call starts it. */
  shared(): Promise<Product> {
    return (this.product ??= this.start());
  }

  /** Starts a separate Warren with WARREN_* `settings`, whose data is kept. The shared one stops first, so that it takes no CPU. */
  async own(name: string, options: StartOptions, settings: NodeJS.ProcessEnv = {}): Promise<Warren> {
    await this.release();
    const home = process.env['WARREN_HOME'] ?? '.warren';
    const port = Number(process.env['WARREN_PORT'] ?? 28080) - 1_000;
    const environment = {
      ...process.env,
      WARREN_HOME: join(dirname(home), name),
      WARREN_PORT: String(port),
      ...settings,
    };
    const warren = await startWarren({ quiet: true, environment, ...options });
    this.atEnd(() => warren.stop());
    return warren;
  }

  /** Registers a cleanup for the end of the bench; runs in reverse order. */
  atEnd(ending: () => Promise<unknown>): void {
    this.endings.push(ending);
  }

  /** Runs a bench and its cleanups. */
  async measure(bench: Bench): Promise<Report[]> {
    try {
      return await bench.run(this);
    } finally {
      await this.end();
    }
  }

  /** Stops what the running bench has started; resolves when all of it is gone, even if someone else had begun to. */
  end(): Promise<void> {
    const endings = this.endings.splice(0).reverse();
    return (this.ended = this.ended
      .catch(() => undefined)
      .then(async () => {
        for (const end of endings) await end();
      }));
  }

  /** Stops the shared Warren. */
  async release(): Promise<void> {
    const product = this.product;
    this.product = undefined;
    await (await product?.catch(() => undefined))?.warren.stop();
  }

  private async start(): Promise<Product> {
    const warren = await startWarren({ quiet: true, link: this.choice.way });
    try {
      const hub = await signIn(warren.urls.hub, operatorEmail);
      const straight = `http://127.0.0.1:${warren.settings.ports.tunnels}`;
      const at = this.choice.way === 'gateway' ? hub.url : straight;
      return { warren, hub, deviceId: (await hub.connectedDevice()).id, at };
    } catch (error) {
      await warren.stop();
      throw error;
    }
  }
}
