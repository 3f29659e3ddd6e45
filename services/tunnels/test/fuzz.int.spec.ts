import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { envelope } from '@warren/proto/envelope';
import { Links } from '../src/links/links.ts';
import type { TestDevice } from './fake.agent.ts';
import { END_HEADERS, END_STREAM, frame, FRAME, headers, RawAgent } from './raw.agent.ts';
import { neighbourOf, type Neighbour } from './neighbour.ts';
import { World } from './world.ts';

/** `WARREN_SOAK=1` runs for minutes; `FUZZ_SEED` repeats the findings of another run. */
const ROUNDS = process.env['WARREN_SOAK'] === '1' ? 3_000 : 80;
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const PIECES = 40;

/** Numbers from 0 to less than 1 that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Dice {
  constructor(private readonly random: () => number) {}

  upTo(most: number): number {
    return Math.floor(this.random() * (most + 1));
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.upTo(choices.length - 1)] as T;
  }

  bytes(most: number): Buffer {
    return Buffer.from(Array.from({ length: this.upTo(most) }, () => this.upTo(255)));
  }

  /** A valid message with some of its bytes changed, left out or doubled. */
  mutated(valid: Buffer): Buffer {
    let bytes = Buffer.from(valid);
    for (let count = this.upTo(4); count > 0 && bytes.length > 0; count--) {
      const at = this.upTo(bytes.length - 1);
      const way = this.upTo(2);
      if (way === 0) bytes[at] = this.upTo(255);
      else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(way === 1 ? at + 1 : Math.max(0, at - 8))]);
    }
    return bytes;
  }
}

const OPENED = Buffer.from([10, 3, 10, 1, 115]);
const DATA = Buffer.from([18, 7, 8, 0, 18, 3, 97, 98, 99]);
const ACCEPTED = Buffer.from([42, 2, 8, 1]);
const EXIT = Buffer.from([26, 2, 8, 0]);
const REFUSED = Buffer.from([34, 3, 10, 1, 97]);
const LINES = Buffer.from([18, 12, 10, 10, 10, 4, ...Buffer.from('s=ab'), 58, 2, 104, 105]);
const PAGE = Buffer.from([10, 10, 10, 8, 10, 4, ...Buffer.from('s=ab'), 58, 0]);
const FACTS = Buffer.from([10, 1, 97, 18, 1, 98]);
const MESSAGES = [OPENED, DATA, ACCEPTED, EXIT, REFUSED, LINES, PAGE, FACTS, Buffer.alloc(0)];
const RFB = Buffer.from('RFB 003.008\n');
const STATUSES = ['100', '101', '102', '103', '200', '204', '404', '500', '999', '-1', ''];

/** What a device may say at one time on a stream, or beside all streams. */
function piece(dice: Dice, stream: number): Buffer {
  const at = dice.one([stream, stream, stream, 1, 0, 2, dice.upTo(2 ** 31 - 1)]);
  const flags = dice.one([0, 0, 0, END_STREAM, END_HEADERS, dice.upTo(255)]);
  const message = () => envelope(dice.one([0, 0, 0, 2, dice.upTo(255)]), dice.mutated(dice.one(MESSAGES)));
  const block = () =>
    dice.mutated(headers({ ':status': dice.one(STATUSES), 'content-type': 'application/connect+proto' }));
  return dice.one([
    () => frame(FRAME.data, 0, stream, message()),
    () => frame(FRAME.data, 0, stream, message()),
    () => frame(FRAME.data, 0, stream, dice.one([RFB, dice.bytes(2_000)])),
    () => frame(FRAME.data, flags, at, dice.bytes(64)),
    () => frame(FRAME.headers, END_HEADERS | flags, at, block()),
    () => frame(dice.upTo(20), flags, at, dice.bytes(64)),
    () => frame(FRAME.reset, 0, stream, Buffer.from([0, 0, 0, dice.upTo(15)])),
    () => dice.mutated(frame(FRAME.settings, 0, 0, dice.bytes(24))),
    () => dice.bytes(200),
  ])();
}

const KINDS = [
  {
    namespace: 'terminal',
    purpose: SocketPurpose.TERMINAL,
    event: 'register',
    payload: { cols: 80, rows: 24, encoding: 'binary', acks: true },
  },
  { namespace: 'desktop', purpose: SocketPurpose.DESKTOP, event: 'start_vnc', payload: { encoding: 'binary' } },
  {
    namespace: 'logs',
    purpose: SocketPurpose.LOGS,
    event: 'watch',
    payload: { view: 1, unit: '', text: '', after: '' },
  },
] as const;

describe('a device that says anything', () => {
  let world: World;
  let neighbour: Neighbour;
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);

  beforeAll(async () => {
    process.on('unhandledRejection', note).on('uncaughtExceptionMonitor', note);
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
    neighbour = await neighbourOf(world);
  });
  afterAll(async () => {
    await world?.stop();
    process.off('unhandledRejection', note).off('uncaughtExceptionMonitor', note);
  });

  const linkOf = ({ id }: TestDevice) => world.app.get(Links).get(id);

  /** Dials until the replica is not too busy (503), as an agent does. */
  const dial = async (device: TestDevice): Promise<RawAgent> => {
    const agents: RawAgent[] = [];
    await until(async () => agents.push(await RawAgent.dial(world.url, device)));
    return agents[0] as RawAgent;
  };

  /** One device, one session of some kind, and what the dice make of it. */
  const round = async (dice: Dice) => {
    const device = world.neighbours.device();
    const agent = await dial(device);
    await until(() => linkOf(device) !== undefined);
    await agent.stream(0);
    const { event, payload, ...kind } = dice.one(KINDS);
    const { socket } = world.browser(device.id, kind);
    socket.emit(event, payload);
    const stream = await agent.stream(1);
    if (dice.upTo(3) > 0) agent.accept(stream);
    if (dice.upTo(3) > 0) agent.accept(1);
    for (let count = 0; count < PIECES && agent.alive; count++) await agent.send(piece(dice, dice.one([stream, 1])));
    await neighbour.printed();
    socket.disconnect();
    agent.close();
    await until(() => linkOf(device) === undefined);
  };

  it(
    `harms no other device, in ${ROUNDS} rounds from seed ${SEED}`,
    async () => {
      const links = world.app.get(Links).count;
      for (let index = 0; index < ROUNDS; index++) {
        await round(new Dice(randomOf(SEED + index))).catch((error: unknown) => {
          throw new Error(`Round ${index}: repeat it with FUZZ_SEED=${SEED + index}.`, { cause: error });
        });
      }
      expect(world.app.get(Links).count).toBe(links);
      expect(unhandled).toEqual([]);
    },
    ROUNDS * 1_000,
  );
});
