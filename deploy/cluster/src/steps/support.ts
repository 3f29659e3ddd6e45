import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import { blocksOf, runbooks } from '@warren/observability/runbooks';
import { environment } from '../cluster/kubectl.ts';
import type { Step } from '../suite/runner.ts';

const named = (release: string) => ({ ...environment(), NS: release, RELEASE: release, FULL: release });

export const bundle: Step = {
  name: 'support-bundle',
  after: ['install'],
  async run({ release, folder }) {
    const file = join(folder, 'bundle.tar.gz');
    const unpacked = join(folder, 'bundle');
    const script = join(root, 'helm/warren/files/support-bundle.sh');
    await command('sh', [script, '--since', '1h', '--out', file], { env: named(release.name) });
    await mkdir(unpacked, { recursive: true });
    const files = (await command('tar', ['-xvzf', file, '-C', unpacked])).split('\n').filter(Boolean);
    const findings = await readFile(join(unpacked, 'warren-bundle/findings.txt'), 'utf8');
    const failed = findings.split('\n').filter((line) => / kubectl .* failed:/.test(line));
    if (failed.length > 0) throw new Error(`could not be collected:\n${failed.join('\n')}`);
    return `${files.length} files`;
  },
};

/** A healthy installation has no errors and no ended pods; cert-manager, Prometheus' operator and autoscalers are not installed. */
const mayFail = (text: string) => /\| grep| hpa |certificate|servicemonitor|--previous/.test(text);

export const typed: Step = {
  name: 'runbooks',
  after: ['install'],
  async run({ release }) {
    const lines = [...(await runbooks())]
      .flatMap(([name, text]) => blocksOf(name, text))
      .filter(({ section, text }) => section === 'What to look at' && text.startsWith('kubectl '));
    const failures: string[] = [];
    for (const { runbook, text } of lines) {
      const run = command('bash', ['-o', 'pipefail', '-c', text], { env: named(release.name) });
      await run.catch((error: Error) => mayFail(text) || failures.push(`${runbook}: ${error.message}`));
    }
    if (failures.length > 0) throw new Error(failures.join('\n'));
    return `${lines.length} lines of runbooks typed`;
  },
};

/** Runs the doctor inside the cluster. */
export const doctor: Step = {
  name: 'doctor',
  after: ['install'],
  async run({ release }) {
    const full = release.name;
    await release.kubectl('create', 'job', 'doctor', `--from=cronjob/${full}-doctor`);
    try {
      await release.kubectl('wait', 'job/doctor', '--timeout=180s', '--for=jsonpath={.status.conditions[0].type}');
      const said = await release.kubectl('logs', 'job/doctor');
      const lines = said.split('\n').filter((line) => /^ *(ok|warn|fail|skip)\b/.test(line));
      // There is no mail server.
      const bad = lines.filter((line) => /^fail +(?! |mail|smtp)/.test(line));
      if (lines.length === 0 || bad.length > 0) throw new Error(said);
      return `${lines.length} findings`;
    } finally {
      await release.kubectl('delete', 'job', 'doctor');
    }
  },
};
