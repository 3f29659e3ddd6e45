import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE group_rules (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    position integer NOT NULL,
    provider text NOT NULL,
    value text NOT NULL,
    group_id uuid NOT NULL,
    created timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id) ON DELETE CASCADE,
    UNIQUE (account_id, provider, value)
  )`,
  `CREATE INDEX group_rules_of_group ON group_rules (account_id, group_id)`,
  `CREATE TABLE rule_memberships (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    rule_id uuid NOT NULL REFERENCES group_rules ON DELETE CASCADE,
    since timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX rule_memberships_of_rule ON rule_memberships (rule_id)`,
  `CREATE INDEX rule_memberships_of_account ON rule_memberships (account_id)`,
  // A trigger, since replicas of the version before move users too, and know nothing of rules.
  `CREATE FUNCTION forget_rule_membership() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS
   $$ BEGIN DELETE FROM rule_memberships WHERE user_id = NEW.id; RETURN NULL; END $$`,
  `CREATE TRIGGER forget_rule_membership AFTER UPDATE OF group_id ON users FOR EACH ROW
   WHEN (OLD.group_id IS DISTINCT FROM NEW.group_id) EXECUTE FUNCTION forget_rule_membership()`,
];

/** Rules by which groups of identity providers map to groups, and which users are in a group by a rule: all others are there otherwise. */
export class MapGroups1798837200000 implements MigrationInterface {
  readonly name = 'MapGroups1798837200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER forget_rule_membership ON users');
    await runner.query('DROP FUNCTION forget_rule_membership()');
    for (const table of ['rule_memberships', 'group_rules']) await runner.query(`DROP TABLE ${table}`);
  }
}
