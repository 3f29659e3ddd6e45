/**
 * `make cluster`: a Kubernetes cluster of two nodes on this machine, and the suite of the chart in it.
 * `up` only brings it up, `down` removes it. Options: `--only install,drain`, `--stop-at-failure`, `--keep`, `--reuse` (a cluster that is up).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { failure } from '@warren/local/failure';
import { terminalProgress } from '@warren/local/progress';
import { root } from '@warren/local/settings';
import { down, up } from './cluster/cluster.ts';
import { requirements } from './cluster/requirements.ts';
import { kubeconfig } from './cluster/settings.ts';
import { steps } from './steps/all.ts';
import { chosen, run } from './suite/runner.ts';
import { World } from './suite/world.ts';

const progress = terminalProgress(process.stdout);
const report = join(root, '.warren/cluster-report.json');

function commandLine() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', default: '' },
      'stop-at-failure': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      reuse: { type: 'boolean', default: false },
    },
  });
  const what = positionals[0] ?? 'run';
  if (!['run', 'up', 'down'].includes(what)) throw new Error(`${what} came, expected run, up or down`);
  const wanted = chosen(steps, values.only.split(',').filter(Boolean));
  return { what, wanted, stop: values['stop-at-failure'], keep: values.keep || values.reuse, reuse: values.reuse };
}

async function suite({ wanted, stop, keep, reuse }: ReturnType<typeof commandLine>): Promise<void> {
  if (reuse && !existsSync(kubeconfig)) throw new Error('--reuse: no cluster is up, see make cluster-up');
  try {
    if (!reuse) await up(progress);
    const world = await World.make();
    try {
      const results = await run(wanted, world, report, stop);
      const failed = results.filter(({ passed }) => !passed);
      progress.say(`  ${results.length - failed.length} of ${results.length} steps passed; ${report}`);
      if (failed.length > 0) process.exitCode = 1;
    } finally {
      await world.close();
    }
  } finally {
    if (!keep) await down();
  }
}

try {
  const asked = commandLine();
  requirements();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void (asked.keep ? Promise.resolve() : down()).finally(() => process.exit(130)));
  }
  if (asked.what === 'down') await down();
  else if (asked.what === 'run') await suite(asked);
  else {
    await up(progress);
    progress.say(`  export KUBECONFIG=${kubeconfig}`);
  }
} catch (error) {
  process.stderr.write(`\n${failure(error)}\n`);
  process.exitCode = 1;
}
