import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE account_domains (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    name text NOT NULL,
    token text NOT NULL,
    created_by text NOT NULL,
    created timestamptz NOT NULL DEFAULT now(),
    verified timestamptz,
    proof text NOT NULL DEFAULT '',
    verified_by text NOT NULL DEFAULT '',
    checked timestamptz,
    finding text NOT NULL DEFAULT '',
    lost timestamptz
  )`,
  `CREATE UNIQUE INDEX account_domains_claimed ON account_domains (account_id, name)`,
  `CREATE UNIQUE INDEX account_domains_verified ON account_domains (name) WHERE verified IS NOT NULL`,
  `CREATE INDEX account_domains_due ON account_domains (checked) WHERE proof = 'dns'`,
];

/** The e-mail domains of accounts. Several accounts may claim a domain; one of them owns it. */
export class ClaimDomains1798059600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account_domains');
  }
}
