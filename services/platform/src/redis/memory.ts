import { redisMemory, redisMemoryMax } from '../telemetry/metrics.ts';

/** What is asked of Redis. */
interface Informed {
  info(section: string): Promise<string>;
}

/** Measures the memory that Redis uses and may use. Keeps the former figures if it does not report them. */
export async function measureMemory(client: Informed): Promise<void> {
  const text = await client.info('memory').catch(() => '');
  const figure = (name: string) => new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1];
  const [used, max] = [figure('used_memory'), figure('maxmemory')];
  if (used !== undefined) redisMemory.set(Number(used));
  if (max !== undefined) redisMemoryMax.set(Number(max));
}
