import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { Installation } from './installation.ts';

describe('backup.sh and restore.sh', () => {
  let warren: Installation;

  beforeAll(async () => void (warren = await Installation.start()), 120_000);
  afterAll(() => warren?.stop());

  async function expectProtected(...actors: string[]): Promise<void> {
    await expect(warren.actors()).resolves.toEqual(actors);
    const owner = await warren.sql(
      `SELECT tableowner FROM pg_tables WHERE schemaname = 'audit' AND tablename = 'audit'`,
    );
    expect(owner).toEqual([{ tableowner: 'warren_identity_audit' }]);
    await expect(warren.asIdentity('DELETE FROM audit.audit')).rejects.toThrow('permission denied');
    await expect(warren.sql('DELETE FROM audit.audit')).rejects.toThrow('only grows');
    const usable = await warren.sql(
      `SELECT nspname FROM pg_namespace WHERE has_schema_privilege('warren_identity', oid, 'USAGE')
         AND nspname IN ('audit', 'identity', 'tenancy', 'devices', 'fleet') ORDER BY 1`,
    );
    expect(usable).toEqual([{ nspname: 'audit' }, { nspname: 'identity' }]);
    await expect(warren.databases()).resolves.toEqual(['warren']);
  }

  it('bring the audit trail back, which still belongs to another role', async () => {
    await warren.insert('kept');
    const file = await warren.script('backup.sh', [join(warren.folder, 'new.dump')]);
    await warren.insert('after the backup');
    await warren.script('restore.sh', [file]);
    await expectProtected('kept');
    await warren.insert('after the restore');
    await expectProtected('kept', 'after the restore');
  });

  it('take a dump of 0.1.0, whose trail belonged to identity', async () => {
    await warren.sql(`BEGIN; DROP VIEW identity.audit; ALTER TABLE audit.audit SET SCHEMA identity;
      ALTER FUNCTION audit.audit_only_grows() SET SCHEMA identity; DROP SCHEMA audit CASCADE; DROP SCHEMA trail CASCADE;
      ALTER FUNCTION identity.audit_only_grows() OWNER TO warren_identity;
      ALTER TABLE identity.audit OWNER TO warren_identity; DROP SCHEMA fleet CASCADE; COMMIT`);
    await warren.insert('of 0.1.0');
    const file = await warren.script('backup.sh', [join(warren.folder, 'old.dump')]);
    await warren.migrate();
    await expectProtected('kept', 'after the restore', 'of 0.1.0');
    await warren.insert('after the backup');
    await warren.script('restore.sh', [file]);
    await expectProtected('kept', 'after the restore', 'of 0.1.0');
  });

  it('make a database that is not there', async () => {
    const file = await warren.script('backup.sh', [join(warren.folder, 'all.dump')]);
    await warren.sql('DROP DATABASE warren WITH (FORCE)', 'postgres');
    await warren.script('restore.sh', [file]);
    await expectProtected('kept', 'after the restore', 'of 0.1.0');
  });
});
