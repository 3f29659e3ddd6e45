import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import { applyFile } from '../cluster/addons.ts';
import { loadEverywhere, SERVERS } from '../cluster/images.ts';
import { apply, kubectl, rolledOut } from '../cluster/kubectl.ts';
import type { Step } from '../suite/runner.ts';

const IMAGE = 'warren-cluster/backup:1';
const TIMEOUT = '--timeout=300s';

/** Builds the image like an operator, based on the servers' image instead of PostgreSQL's. */
async function makeImage(): Promise<void> {
  await command('make', ['backup-image', `BACKUP_IMAGE=${IMAGE}`, `POSTGRES_IMAGE=${SERVERS}`], { cwd: root });
  await loadEverywhere([IMAGE]);
}

export const backup: Step = {
  name: 'backup',
  after: ['install'],
  async run({ release }) {
    await makeImage();
    await applyFile('s3.yaml');
    await rolledOut('storage');
    const identity = await command('age-keygen', []);
    const recipient = /public key: (\S+)/.exec(identity)?.[1];
    const keys = { 'access-key-id': 'access', 'secret-access-key': 'secret-of-tests' };
    await apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'backup-s3', namespace: release.name },
      stringData: keys,
    });
    const s3 = ['endpoint=http://s3.storage:7070', 'bucket=warren-backups', 'existingSecret=backup-s3'];
    const set = ['enabled=true', `image=${IMAGE}`, `recipient=${recipient}`, ...s3.map((text) => `s3.${text}`)];
    await release.upgrade(...set.map((text) => `backup.${text}`));
    await release.kubectl('create', 'job', 'backup-now', `--from=cronjob/${release.name}-backup`);
    await release.kubectl('wait', 'job/backup-now', '--for=condition=Complete', TIMEOUT).catch(async () => {
      throw new Error(`the backup's Job did not complete:\n${await release.kubectl('logs', 'job/backup-now')}`);
    });
    const list = ['exec', 'deployment/s3', '--namespace=storage', '--'];
    const names = await kubectl(...list, 'find', '/data/warren-backups', '-type', 'f', '-size', '+1k');
    if (!/\.age$/m.test(names))
      throw new Error(`the bucket: expected an encrypted dump, it holds ${JSON.stringify(names)}`);
    const file =
      names
        .trim()
        .split('\n')
        .find((name) => name.endsWith('.age')) ?? '';
    const content = await kubectl(...list, 'sh', '-c', `head -c 21 ${file}`);
    if (!content.startsWith('age-encryption.org/v1'))
      throw new Error(`${file}: expected age's header, it begins with ${content}`);
    await release.kubectl('delete', 'job', 'backup-now');
    return `${file.split('/').at(-1)} in S3`;
  },
};
