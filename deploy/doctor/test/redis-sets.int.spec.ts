import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedisCluster, startSentinels, type RedisSet } from '@warren/infra/redis-sets';
import { until } from '@warren/infra/until';
import { checkRedis } from '../src/checks/redis.ts';
import { readOptions } from '../src/options.ts';

const HUB_URL = 'https://hub.test';
async function look(settings: Record<string, string>): Promise<string[]> {
  const found = await checkRedis(readOptions({ HUB_URL, ...settings }));
  return found.map(({ status, detail }) => `${status} ${detail}`);
}

describe('Redis with Sentinel', () => {
  let set: RedisSet;
  beforeAll(async () => void (set = await startSentinels()));
  afterAll(() => set?.stop());
  const settings = (nodes = set.nodes, name = 'mymaster') => ({
    REDIS_URL: `redis://${name}`,
    REDIS_MODE: 'sentinel',
    REDIS_NODES: nodes.join(','),
  });

  it('is looked at by its sentinels, which can agree', async () => {
    const found = await look(settings());
    expect(found.slice(0, 3)).toEqual(
      set.nodes.map((node) => `ok sentinel ${node} can agree on a new master of mymaster`),
    );
    expect(found).toContain('ok it evicts nothing');
    expect(found).toContain('ok reading, writing, scripts and publishing are allowed');
  });

  it('names a missing sentinel and an unknown master', async () => {
    expect(await look(settings([...set.nodes, '127.0.0.1:1']))).toContainEqual(
      expect.stringMatching(/^fail sentinel 127\.0\.0\.1:1: .*ECONNREFUSED/),
    );
    const unknown = await look(settings(set.nodes, 'nobody'));
    expect(unknown).toEqual([expect.stringMatching(/^fail .*sentinel/i)]);
    const none = { REDIS_URL: 'redis://mymaster', REDIS_MODE: 'sentinel' };
    expect(await look(none)).toEqual(['fail REDIS_MODE is sentinel, and no sentinel is known']);
  });
});

describe('Redis as a cluster', () => {
  let set: RedisSet;
  beforeAll(async () => void (set = await startRedisCluster()));
  afterAll(() => set?.stop());
  const settings = () => ({ REDIS_URL: `redis://${set.nodes[0]}`, REDIS_MODE: 'cluster' });

  it('is looked at master by master', async () => {
    const found = await look(settings());
    expect(found[0]).toBe('warn a cluster of 3 masters and 0 replicas');
    for (const node of set.nodes) expect(found).toContain(`ok ${node}: it evicts nothing`);
    expect(found).toContain('ok reading, writing, scripts and publishing are allowed');
  });

  it('has lost a master', async () => {
    await set.servers[2]?.kill();
    expect(await look(settings())).toContainEqual(expect.stringMatching(`^fail ${set.nodes[2]}: `));
    // When the others have noticed.
    await until(async () => (await look(settings()))[0]?.startsWith('fail a cluster of '), 60_000);
    const found = await look(settings());
    expect(found).toContainEqual(expect.stringMatching(`^fail ${set.nodes[2]}: `));
    expect(found).toContain(`ok ${set.nodes[0]}: it evicts nothing`);
  });
});
