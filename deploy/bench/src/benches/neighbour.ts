import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { simulatedId } from '../data/simulated.ts';
import type { Bench, Lab } from '../lab.ts';
import { echo } from '../probes/echo.ts';
import { interleave } from '../rounds.ts';
import { enrolFleet } from '../simulator/enrol.ts';
import { FleetProcess } from '../simulator/process.ts';
import { warren } from '../targets/warren.ts';

/** A device of another customer whose terminal can print endlessly. */
async function noisyNeighbour(lab: Lab) {
  const { warren: product, hub, at } = await lab.shared();
  const enrolled = await enrolFleet(product, 1);
  const fleet = await FleetProcess.start({ ...enrolled, hubs: [at], agents: 1, rampMs: 0 });
  lab.atEnd(() => fleet.stop());
  await fleet.linked(1, lab.choice.patience * 1_000);
  // Both of its ends run on this machine at low priority, so that only its load on the hub is measured.
  setPriority(fleet.pid, constants.priority.PRIORITY_LOW);
  const device = simulatedId(1);
  const place = { url: at, device, headers: { origin: hub.url } };
  return {
    begin: async () => fleet.flood({ place, token: await hub.socketToken(device) }),
    end: () => fleet.calm(),
  };
}

/** Tells whether process priorities apply only within a session. */
const groupsSessions = async (): Promise<boolean> =>
  (await readFile('/proc/sys/kernel/sched_autogroup_enabled', 'utf8').catch(() => '0')).trim() === '1';

/** Measures a keystroke's echo while another customer's device at the same replica prints at full speed. */
export const neighbour: Bench = {
  run: async (lab) => {
    const { hub, deviceId, at } = await lab.shared();
    const target = warren(hub, deviceId, at);
    const noise = await noisyNeighbour(lab);
    const results = await interleave([false, true], lab.choice, async (beside) => {
      if (beside) await noise.begin();
      const { p50Ms, p99Ms, pausedMs } = await echo(target, lab.choice.samples);
      return { p50Ms, p99Ms, pausedMs, rate: beside ? await noise.end() : 0 };
    });
    const rows = results.map(({ target: beside, figures: { p50Ms, p99Ms, pausedMs, rate } }) => ({
      name: beside ? 'beside a flood' : 'alone',
      values: [p50Ms, p99Ms, pausedMs, beside ? rate : undefined],
    }));
    const notes = [
      'The device of the flood and its reader share a process of the lowest priority; the replica that both devices are linked to is one.',
      ...((await groupsSessions())
        ? ['This kernel shares processors among sessions (sched_autogroup_enabled): that priority counts for little.']
        : []),
    ];
    const head = ['echo p50, ms', 'echo p99, ms', 'p50 with 10 ms between keys', 'the flood, MB/s'];
    return [{ title: 'Echo beside a device of another customer', notes, head, rows }];
  },
};
