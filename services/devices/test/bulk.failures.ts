import type { BulkWorld } from './bulk.world.ts';

/** Waits for the end of a job. @returns why devices failed, with their names */
export async function failuresOf(world: BulkWorld, of: ReturnType<BulkWorld['person']>, id: string) {
  return (await world.over(of, id)).failures.map(({ code, count, devices }) => ({
    code,
    count,
    names: devices.map(({ name }) => name),
  }));
}
