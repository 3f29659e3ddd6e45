import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './ports.ts';
import { launch, untilReady } from './process.ts';
import { requireProgram } from './programs.ts';
import { redisReady, startRedis } from './redis.ts';
import type { Server } from './server.ts';
import { until } from './until.ts';

const HOST = '127.0.0.1';

/** A set of Redis servers. */
export interface RedisSet {
  servers: Server[];
  /** `host:port` for clients: of the sentinels, or the nodes. */
  nodes: string[];
  stop(): Promise<void>;
}

async function cli(port: number, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(requireProgram('redis-cli'), ['-h', HOST, '-p', String(port), ...args])).stdout;
}

/** Starts a master, a replica and three sentinels with the name `mymaster`; a server that is silent for a second counts as down. */
export async function startSentinels(): Promise<RedisSet> {
  const master = await startRedis();
  const replica = await startRedis({}, ['--replicaof', HOST, String(master.port)]);
  const folder = await mkdtemp(join(tmpdir(), 'warren-sentinels-'));
  const sentinels = await Promise.all([1, 2, 3].map((number) => startSentinel(folder, number, master.port)));
  const [first] = sentinels;
  await until(async () => (await cli(first?.port ?? 0, 'sentinel', 'ckquorum', 'mymaster')).startsWith('OK 3'));
  await until(async () =>
    (await cli(first?.port ?? 0, 'sentinel', 'replicas', 'mymaster')).includes(String(replica.port)),
  );
  await until(async () => (await cli(replica.port, 'info', 'replication')).includes('master_link_status:up'));
  return {
    servers: [master, replica],
    nodes: sentinels.map(({ port }) => `${HOST}:${port}`),
    async stop() {
      await Promise.all(sentinels.map(({ running }) => running.stop()));
      await Promise.all([master, replica].map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startSentinel(folder: string, number: number, master: number) {
  const port = await freePort(HOST);
  const file = join(folder, `${number}.conf`);
  const monitor = `sentinel monitor mymaster ${HOST} ${master} 2\nsentinel down-after-milliseconds mymaster 1000\n`;
  await writeFile(file, `port ${port}\nbind ${HOST}\n${monitor}sentinel failover-timeout mymaster 3000\n`);
  const spec = {
    name: `sentinel-${number}`,
    command: requireProgram('redis-server'),
    args: [file, '--sentinel'],
    cwd: folder,
    log: join(folder, `${number}.log`),
    ready: () => redisReady(HOST, port),
  };
  const running = launch(spec);
  await untilReady(spec, running);
  return { port, running };
}

/** Starts a cluster of three masters. */
export async function startRedisCluster(): Promise<RedisSet> {
  const node = (number: number) =>
    startRedis({}, ['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${number}.conf`]);
  const servers = await Promise.all([1, 2, 3].map(node));
  const nodes = servers.map(({ port }) => `${HOST}:${port}`);
  const [first] = servers;
  await cli(first?.port ?? 0, '--cluster', 'create', ...nodes, '--cluster-yes');
  for (const { port } of servers)
    await until(async () => (await cli(port, 'cluster', 'info')).includes('cluster_state:ok'));
  return { servers, nodes, stop: async () => void (await Promise.all(servers.map((server) => server.stop()))) };
}
