import { Fleet, type FleetOptions } from './fleet.ts';
import { flood, type Flood, type FloodOptions } from './flood.ts';

/** The messages that the simulator's process receives; it answers each with one. */
export type Order =
  | { start: FleetOptions }
  | { stats: true }
  | { linked: true }
  | { reset: true }
  | { pick: true }
  | { flood: FloodOptions }
  | { calm: true }
  | { stop: true };

let fleet: Fleet | undefined;
let flooding: Flood | undefined;

async function obey(order: Order): Promise<unknown> {
  if ('start' in order) {
    fleet = new Fleet(order.start);
    return fleet.start();
  }
  if ('stats' in order) return fleet?.stats();
  if ('linked' in order) return fleet?.linked;
  if ('pick' in order) return fleet?.pick();
  if ('reset' in order) return fleet?.reset();
  if ('flood' in order) return void (flooding = await flood(order.flood));
  if ('calm' in order) return flooding?.end();
  return fleet?.stop();
}

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  obey(order).then(
    (answer) => process.send?.({ id, answer }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
// The parent is gone, and the fleet with it.
process.on('disconnect', () => process.exit());
