import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pino from 'pino';
import { Backoff } from '../src/link/backoff.ts';
import { HubClock } from '../src/link/clock.ts';
import { dialToken } from '../src/link/credential.ts';
import { dial } from '../src/link/dial.ts';
import { LinkKeeper } from '../src/link/keeper.ts';
import { serveLink } from '../src/link/link.ts';
import { agentHandler } from '../src/link/service.ts';
import { DEFAULT_LIMITS } from '../src/terminals/limits.ts';
import { TerminalRegistry } from '../src/terminals/registry.ts';
import { Updates } from '../src/update/updates.ts';
import { Relays } from '../src/relay/relays.ts';
import { readEnrolment } from '../src/state/enrolment.ts';
import { readKey } from '../src/state/key.ts';
import { journalOf } from '../src/system/journal/journal.ts';
import { loginShells } from '../src/system/login.ts';
import { TerminalClient } from './terminal-client.ts';
import { World } from './world.ts';

/** `make soak` asks for many more. */
const FLAPS = Number(process.env['WARREN_FLAPS'] ?? 120);
/** How often the footprint is looked at on the way. */
const MARKS = FLAPS >= 1_000 ? 8 : 1;
const MiB = 1024 ** 2;
/** No step takes this long on the slowest machine. */
const STEP_MS = 50_000;

jest.setTimeout(60_000 + FLAPS * 400);

/** Dials again at once, so that hundreds of broken links fit into a test. */
class AtOnce extends Backoff {
  override next(): number {
    return 1;
  }
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Waits for a step of a test of thousands, which would otherwise say of a hang only that it was somewhere. */
async function soon<T>(work: Promise<T>, stuck: () => string): Promise<T> {
  const done = new AbortController();
  const late = sleep(STEP_MS, undefined, { signal: done.signal }).then(
    () => Promise.reject(new Error(stuck())),
    () => work,
  );
  return Promise.race([work, late]).finally(() => done.abort());
}

/** What a leak would make grow. */
async function footprint() {
  // Closed streams and timers go within a few turns, and two seconds after the call at the latest.
  await sleep(2_500);
  collect();
  const { heapUsed, external, rss: resident } = process.memoryUsage();
  const files = readdirSync('/proc/self/fd').length;
  return { files, resources: process.getActiveResourcesInfo().length, bytes: heapUsed + external, resident };
}

/** What a person judges who asked for many links. */
function report(marks: Awaited<ReturnType<typeof footprint>>[]): void {
  const lines = marks.map(({ files, resources, bytes, resident }, index) => {
    const links = String(Math.round((index * FLAPS) / (marks.length - 1))).padStart(6);
    return `${links} links: ${(bytes / MiB).toFixed(2)} MiB in use, ${(resident / MiB).toFixed(0)} resident, ${files} files, ${resources} resources`;
  });
  process.stdout.write(`${lines.join('\n')}\n`);
}

describe('an agent whose link breaks again and again', () => {
  let world: World;
  let keeper: LinkKeeper;
  let registry: TerminalRegistry;
  let running: Promise<void>;

  beforeEach(async () => {
    world = await World.make();
    await world.enrol();
    const log = pino({ level: 'silent' });
    const [enrolment, key] = [await readEnrolment(world.state), await readKey(world.state)];
    if (!enrolment || !key) throw new Error('not enrolled');
    registry = new TerminalRegistry(loginShells(undefined, undefined, world.state), DEFAULT_LIMITS, log);
    const parts = {
      registry,
      relays: new Relays(log),
      journal: journalOf(undefined),
      reboot: async () => {},
      updates: new Updates(undefined),
      rotateKey: async () => {},
      version: '1.2.3',
      log,
    };
    const clock = new HubClock();
    const handler = agentHandler(parts);
    keeper = new LinkKeeper({
      dial: async (signal) => {
        const token = dialToken(key, enrolment, clock.now(), 'flapping');
        return dial({ hub: enrolment.hub, token, version: '1.2.3', clock, signal });
      },
      serve: (carrier) => serveLink(carrier, handler),
      onState: () => {},
      log,
      backoff: new AtOnce(),
    });
    running = keeper.run();
  });
  afterEach(async () => {
    registry.closeAll();
    await keeper.stop();
    await running;
    await world.end();
  });

  it(`keeps nothing of ${FLAPS} links, and the terminal keeps running through all of them`, async () => {
    const { hub } = world;
    let terminal: TerminalClient | undefined;
    let offset = 0;
    const flap = async (index: number) => {
      const at = (step: string) => () =>
        `link ${index}, ${step}: ${hub.dials.length} dials, ${JSON.stringify(terminal?.text.slice(-200))} shown`;
      const { client, socket } = await soon(hub.linked(1), at('dialled'));
      terminal = new TerminalClient(client, terminal ? { session: terminal.session, offset } : {});
      if (index === 0) {
        // Typed before the loop reads, at the shell's own prompt, a line would end in a return that is no end of a line to it.
        terminal.type('stty -echo; PS1=; echo re""ads; while read line; do echo "got $line"; done\r');
        await soon(terminal.shows('reads\r\n'), at('loop'));
      }
      terminal.type(`${index}\r`);
      await soon(terminal.shows(`got ${index}\r\n`), at('answered'));
      // What follows the link's start and is in full swing breaks as well.
      const facts = client.watchFacts({})[Symbol.asyncIterator]();
      if (index % 3 === 0) void facts.next().catch(() => {});
      offset = terminal.offset;
      hub.links.length = 0;
      socket.destroy();
      await soon(terminal.ended, at('ended'));
    };
    const warm = 20;
    for (let index = 0; index < warm; index++) await flap(index);
    const marks = [await footprint()];
    for (let index = warm; index < warm + FLAPS; index++) {
      await flap(index);
      if ((index - warm + 1) % Math.ceil(FLAPS / MARKS) === 0) marks.push(await footprint());
    }
    const [before, after] = [marks[0]!, marks.at(-1)!];
    if (FLAPS >= 1_000) report(marks);
    expect(registry.size).toBe(1);
    expect(after.files - before.files).toBeLessThanOrEqual(2);
    expect(after.resources - before.resources).toBeLessThanOrEqual(6);
    // What a few links leave to the next collection weighs as much as a small leak; many tell the two apart.
    expect((after.bytes - before.bytes) / MiB).toBeLessThan(FLAPS >= 1_000 ? 4 : 12);
  });
});
