import { beforeAll, describe, expect, it } from '@jest/globals';
import { notesOf, of, one, rendered, type Item } from './chart.ts';
import { openWays, written, type End, type Way } from './reach.ts';

const AWAY = 'backup.enabled=true,backup.existingClaim=backups';
const job = (items: Item[]): Item => one(items, 'CronJob', 'w-warren-backup')['spec'];
const podOf = (items: Item[]): Item => job(items)['jobTemplate'].spec.template.spec;
const envOf = (pod: Item): Record<string, Item> =>
  Object.fromEntries(pod['containers'][0].env.map((variable: Item) => [variable['name'], variable]));
const tenancy = (items: Item[]): Record<string, Item> =>
  envOf(one(items, 'Deployment', 'w-warren-tenancy')['spec'].template.spec);
const secret = (name: string, key: string) => ({ secretKeyRef: { name, key } });

describe('backups by the chart', () => {
  let items: Item[];
  beforeAll(async () => {
    items = await rendered('backup');
  });

  it('are not made, and none is missed, unless they are asked for', async () => {
    const plain = await rendered('production');
    expect(JSON.stringify(of(plain, 'CronJob'))).not.toContain('backup');
    expect(JSON.stringify(of(plain, 'NetworkPolicy'))).not.toContain('backup');
    expect(tenancy(plain)['BACKUP_MAX_AGE_HOURS']).toBeUndefined();
    expect(tenancy(items)['BACKUP_MAX_AGE_HOURS']?.['value']).toBe('14');
  });

  it.each([
    ['trying-out', 'backup.enabled=false', ['Its database has no backup: set backup.enabled.']],
    ['trying-out', AWAY, ['Its database is backed up by the CronJob w-warren-backup (30 3 * * *).']],
    ['production', 'backup.enabled=false', []],
  ])('are in the notes of %s with %s', async (name, values, expected) => {
    const notes = await notesOf(name, '--set', values);
    expect(notes).toContain('is installed as w.');
    expect(notes.split('\n').filter((line) => line.startsWith('Its database'))).toEqual(expected);
    expect(notes).not.toContain('no backup.');
  });

  it('run by the schedule, one at a time, with what backup.sh reads', () => {
    expect(job(items)).toMatchObject({ schedule: '15 */6 * * *', timeZone: 'Etc/UTC', concurrencyPolicy: 'Forbid' });
    const variables = envOf(podOf(items));
    const values = Object.entries(variables).flatMap(([name, { value }]) =>
      value === undefined ? [] : [[name, value]],
    );
    expect(Object.fromEntries(values)).toEqual({
      PGHOST: 'postgres.example.com',
      PGPORT: '6432',
      PGDATABASE: 'warren',
      PGUSER: 'warren_backup',
      PGSSLMODE: 'verify-full',
      PGSSLROOTCERT: '/etc/warren/postgresql-ca/ca.crt',
      WARREN_BACKUP_KEEP_DAYS: '14',
      WARREN_BACKUP_KEEP_LAST: '3',
      WARREN_BACKUP_RECIPIENT: expect.stringMatching(/^age1/) as unknown,
      WARREN_BACKUP_S3_ENDPOINT: 'https://s3.example.com:9443',
      WARREN_BACKUP_S3_BUCKET: 'warren-backups',
      WARREN_BACKUP_S3_REGION: 'us-east-1',
      WARREN_BACKUP_S3_PREFIX: 'production',
      WARREN_BACKUP_S3_DELETE: 'true',
    });
    expect(variables['PGPASSWORD']?.['valueFrom']).toEqual(secret('backup-role', 'password'));
    expect(variables['WARREN_BACKUP_S3_ACCESS_KEY_ID']?.['valueFrom']).toEqual(secret('backup-s3', 'access-key-id'));
    expect(variables['WARREN_BACKUP_S3_SECRET_ACCESS_KEY']?.['valueFrom']).toEqual(
      secret('backup-s3', 'secret-access-key'),
    );
  });

  it('run without rights, and write to two volumes alone', () => {
    const pod = podOf(items);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const [container] = pod['containers'];
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources.limits.memory).toBe('512Mi');
    expect(container.volumeMounts.map(({ mountPath }: Item) => mountPath)).toEqual([
      '/tmp',
      '/warren/backups',
      '/etc/warren/postgresql-ca',
    ]);
    expect(pod['volumes'].find(({ name }: Item) => name === 'backups').emptyDir).toEqual({ sizeLimit: '8Gi' });
  });

  it('of a bundled server know its address, and may be kept on a volume', async () => {
    const bundled = await rendered('trying-out', '--set', AWAY, '--set', 'backup.image=registry.example.com/b:1');
    const pod = podOf(bundled);
    expect(envOf(pod)['PGHOST']?.['value']).toBe('w-warren-postgresql');
    expect(envOf(pod)['PGPASSWORD']?.['valueFrom']).toEqual(secret('w-warren-bundled', 'postgres-password'));
    expect(envOf(pod)['WARREN_BACKUP_S3_ENDPOINT']).toBeUndefined();
    expect(pod['containers'][0].image).toBe('registry.example.com/b:1');
    expect(pod['volumes'].at(-1).persistentVolumeClaim.claimName).toBe('backups');
    const ends: Record<string, End> = {
      ...Object.fromEntries(
        ['backup', 'postgresql', 'redis', 'tenancy'].map((name) => [name, { labels: labels(name) }]),
      ),
      internet: { address: '203.0.113.7' },
    };
    const tos = ['postgresql', 'redis', 'tenancy', 'internet'];
    const ways = tos.flatMap((to) => [443, 5432, 6379, 9080].map((port): Way => ['backup', to, port]));
    expect(await openWays(bundled, ends, ways)).toEqual([written(['backup', 'postgresql', 5432])]);
  });

  it('reach the database and S3, and nothing reaches them', async () => {
    const ends: Record<string, End> = {
      backup: { labels: labels('backup') },
      tenancy: { labels: labels('tenancy') },
      database: { address: '10.20.0.5' },
      s3: { address: '203.0.113.7' },
    };
    const ports = [443, 4222, 5432, 6432, 9080, 9443];
    const pairs = ['database', 's3', 'tenancy'].map((to) => ['backup', to] as const);
    const ways = [...pairs, ['tenancy', 'backup'] as const].flatMap(([from, to]) =>
      ports.map((port): Way => [from, to, port]),
    );
    const open = await openWays(items, ends, ways);
    expect(open.sort()).toEqual(
      [
        written(['backup', 'database', 6432]),
        written(['backup', 'database', 9443]),
        written(['backup', 's3', 9443]),
      ].sort(),
    );
  });

  it.each([
    ['0 3 * * *', true],
    ['*/10 0-6,22 1,15 jan-mar MON', true],
    ['@daily', true],
    ['0 3 * *', false],
    ['60 3 * * *', false],
    ['0 24 * * *', false],
    ['0 3 0 * *', false],
    ['0 3 * 13 *', false],
    ['0 3 * * 7', false],
    ['*/0 3 * * *', false],
    ['@often', false],
    ['every night', false],
  ])('take the schedule "%s": %s', async (schedule, fits) => {
    const set = `backup.schedule=${schedule.replaceAll(',', '\\,')}`;
    const made = rendered('backup', '--set-string', set);
    if (fits) expect(job(await made)).toMatchObject({ schedule });
    else
      await expect(made).rejects.toThrow(
        /backup.schedule: expected a cron expression such as|'\/backup\/schedule': '.*' does not match/,
      );
  });

  it.each([
    ['backup.s3.bucket=', /backup.s3 is half set, missing: backup.s3.bucket/],
    ['backup.s3.endpoint=s3.example.com', /backup.s3.endpoint: expected an address such as/],
    ['backup.s3.endpoint=,backup.s3.bucket=,backup.s3.existingSecret=', /expected backup.s3 or backup.existingClaim/],
    ['backup.database.user=,backup.database.host=', /missing: backup.database.host, backup.database.user/],
    ['backup.recipient=AGE-SECRET-KEY-1', /backup.recipient: expected a public key of age/],
    ['backup.keepLast=0', /backup.keepLast: expected 1 or more/],
  ])('are refused with %s', async (set, text) => {
    await expect(rendered('backup', '--set', set)).rejects.toThrow(text);
  });
});

function labels(component: string): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'warren',
    'app.kubernetes.io/instance': 'w',
    'app.kubernetes.io/component': component,
  };
}
