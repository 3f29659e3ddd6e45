import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { operatorEmail } from '@warren/local/people';
import { startWarren } from '@warren/local/warren';
import { signIn } from './hub.ts';
import { bulk } from './probes/bulk.ts';
import { echo } from './probes/echo.ts';
import { median } from './stats.ts';
import { table, type Row } from './table.ts';
import { localPty } from './targets/pty.ts';
import { startSsh } from './targets/ssh.ts';
import { warren } from './targets/warren.ts';
import type { Target } from './terminal.ts';

const { values } = parseArgs({
  options: {
    samples: { type: 'string', default: '2000' },
    megabytes: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
  },
});
const samples = Number(values.samples);
const megabytes = Number(values.megabytes);
const rounds = Number(values.rounds);

/** The targets in turn, several rounds, so that a machine whose speed drifts is fair to all; medians of the rounds. */
async function measure(targets: Target[]): Promise<Row[]> {
  const figures = new Map(
    targets.map(({ name }) => [name, { p50: [] as number[], p99: [] as number[], bulk: [] as number[] }]),
  );
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      const figure = figures.get(target.name);
      const { p50Ms, p99Ms } = await echo(target, samples);
      figure?.p50.push(p50Ms);
      figure?.p99.push(p99Ms);
      figure?.bulk.push(await bulk(target, megabytes));
    }
  }
  return [...figures].map(([name, figure]) => ({
    name,
    values: [median(figure.p50), median(figure.p99), median(figure.bulk)],
  }));
}

const product = await startWarren({ quiet: true });
const ssh = await startSsh();
try {
  const hub = await signIn(product.urls.hub, operatorEmail);
  const device = await hub.connectedDevice();
  const rows = await measure([warren(hub, device.id), localPty, ...(ssh ? [ssh] : [])]);
  console.log(
    `Terminal, ${cpus().length} cores, everything on this machine; in brackets Warren's figure over the row's.\n`,
  );
  console.log(table(['echo p50, ms', 'echo p99, ms', `bulk of ${megabytes} MB, MB/s`], rows));
  if (!ssh) console.log('\nssh was left out: openssh-server is not installed.');
} finally {
  await ssh?.stop();
  await product.stop();
}
