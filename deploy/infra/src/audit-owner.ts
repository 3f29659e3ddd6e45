import { withClient, withDatabase } from './provision.ts';

/** SQLSTATE insufficient_privilege (PostgreSQL documentation, appendix A). */
const FORBIDDEN = '42501';

/**
 * Moves the audit trail to the schema `audit`, whose owner can't log in. The service reads and appends through the view
 * `identity.audit`, like version 0.1.0. Uses the lock of migrations.
 */
const PROTECT = `
DO $$
DECLARE
  writer name := pg_get_userbyid(coalesce(
    (SELECT relowner FROM pg_class WHERE oid = to_regclass('identity.audit')),
    (SELECT nspowner FROM pg_namespace WHERE nspname = 'identity')));
  keeper name := left(writer, 57) || '_audit';
  kept regclass;
BEGIN
  PERFORM pg_advisory_xact_lock(x'57415252'::bigint);
  IF coalesce(to_regclass('audit.audit'), to_regclass('identity.audit')) IS NULL THEN RETURN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = keeper) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', keeper); END IF;
  -- An administrator who is no superuser has to belong to a role to give it something.
  EXECUTE format('GRANT %I TO CURRENT_USER', keeper);
  EXECUTE format('CREATE SCHEMA IF NOT EXISTS audit AUTHORIZATION %I', keeper);
  IF EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('identity.audit') AND relkind = 'r') THEN
    IF to_regclass('audit.audit') IS NOT NULL THEN
      RAISE EXCEPTION 'identity.audit is a table beside audit.audit: expected the view of it';
    END IF;
    ALTER TABLE identity.audit SET SCHEMA audit;
    ALTER FUNCTION identity.audit_only_grows() SET SCHEMA audit;
  END IF;
  kept := 'audit.audit';
  IF EXISTS (SELECT FROM pg_class WHERE oid = kept AND pg_get_userbyid(relowner) <> keeper) THEN
    EXECUTE format('ALTER TABLE audit.audit OWNER TO %I', keeper);
    EXECUTE format('ALTER FUNCTION audit.audit_only_grows() OWNER TO %I', keeper);
  END IF;
  EXECUTE format('REVOKE ALL ON audit.audit FROM PUBLIC, %I', writer);
  EXECUTE format('GRANT USAGE ON SCHEMA audit TO %I', writer);
  EXECUTE format('GRANT SELECT, INSERT ON audit.audit TO %I', writer);
  IF to_regclass('identity.audit') IS NULL THEN
    CREATE VIEW identity.audit AS SELECT * FROM audit.audit;
    EXECUTE format('ALTER VIEW identity.audit OWNER TO %I', writer);
  END IF;
END $$`;

/**
 * Moves events and checkpoints of the audit service to the same schema and owner. The service may read and append; partitions are made
 * and removed by functions of the owner, which remove nothing that is younger than four weeks or that no checkpoint says is removed.
 */
const PROTECT_EVENTS = `
DO $$
DECLARE
  writer name := (SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'trail');
  keeper name := coalesce((SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'audit'), left(writer, 57) || '_audit');
  moved record;
BEGIN
  PERFORM pg_advisory_xact_lock(x'57415252'::bigint);
  IF coalesce(to_regclass('trail.events'), to_regclass('audit.events')) IS NULL THEN RETURN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = keeper) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', keeper); END IF;
  EXECUTE format('GRANT %I TO CURRENT_USER', keeper);
  EXECUTE format('CREATE SCHEMA IF NOT EXISTS audit AUTHORIZATION %I', keeper);
  FOR moved IN SELECT c.oid::regclass AS name FROM pg_class c WHERE c.relnamespace = to_regnamespace('trail') AND c.relkind IN ('r', 'p')
    AND (c.relname IN ('events', 'checkpoints') OR EXISTS (SELECT FROM pg_inherits WHERE inhrelid = c.oid AND inhparent IN
      (to_regclass('trail.events'), to_regclass('audit.events')))) LOOP
    EXECUTE format('ALTER TABLE %s SET SCHEMA audit', moved.name);
  END LOOP;
  FOR moved IN SELECT oid::regprocedure AS name FROM pg_proc WHERE pronamespace = to_regnamespace('trail') LOOP
    EXECUTE format('ALTER FUNCTION %s SET SCHEMA audit', moved.name);
  END LOOP;
  FOR moved IN SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = 'audit'::regnamespace AND relkind IN ('r', 'p')
    AND pg_get_userbyid(relowner) <> keeper LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO %I', moved.name, keeper);
  END LOOP;
  FOR moved IN SELECT oid::regprocedure AS name, prosecdef FROM pg_proc WHERE pronamespace = 'audit'::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', moved.name, keeper);
    IF moved.prosecdef THEN
      EXECUTE format('ALTER FUNCTION %s SET search_path = audit, pg_temp', moved.name);
      EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', moved.name);
    END IF;
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', moved.name, writer);
  END LOOP;
  EXECUTE format('REVOKE ALL ON audit.events, audit.checkpoints FROM PUBLIC, %I', writer);
  EXECUTE format('GRANT USAGE ON SCHEMA audit TO %I', writer);
  EXECUTE format('GRANT SELECT, INSERT ON audit.events, audit.checkpoints TO %I', writer);
END $$`;

/**
 * Makes the audit trail append-only for the roles of identity and the audit service. Runs after their migrations; idempotent.
 * @param adminUrl the administrator's URL for any database of the server
 * @returns false, without a change, if the administrator lacks the privileges
 */
export async function protectAudit(adminUrl: string, database = 'warren'): Promise<boolean> {
  try {
    await withClient(withDatabase(adminUrl, database).href, async (client) => {
      await client.query(PROTECT);
      await client.query(PROTECT_EVENTS);
    });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== FORBIDDEN) throw error;
    return false;
  }
}
