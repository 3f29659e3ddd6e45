import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // An accepted invitation is no row any more.
  `ALTER TABLE invitations DROP COLUMN accepted_at`,
  // The token is made together with its mail, so a new invitation has none yet.
  `ALTER TABLE invitations ALTER COLUMN token_hash DROP NOT NULL`,
  `ALTER TABLE invitations
    ADD COLUMN invited_by uuid,
    ADD COLUMN name text NOT NULL DEFAULT '',
    ADD COLUMN agreed_at timestamptz,
    ADD COLUMN mailing uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN delivery text NOT NULL DEFAULT 'Queued' CHECK (delivery IN ('Queued', 'Sent', 'Failing')),
    ADD COLUMN delivery_problem text NOT NULL DEFAULT '',
    ADD COLUMN enqueued_at timestamptz`,
  `CREATE UNIQUE INDEX invitations_email ON invitations (account_id, lower(email))`,
  `CREATE INDEX invitations_of_email ON invitations (email, invited_at)`,
  `CREATE INDEX invitations_by_time ON invitations (invited_at DESC, id DESC)`,
  `CREATE INDEX invitations_unsent ON invitations (enqueued_at NULLS FIRST) WHERE delivery <> 'Sent'`,

  `CREATE TABLE pictures (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    content bytea NOT NULL
  )`,
];

const DOWN = [
  `DROP TABLE pictures`,
  `DROP INDEX invitations_email, invitations_of_email, invitations_by_time, invitations_unsent`,
  `ALTER TABLE invitations
    DROP COLUMN invited_by, DROP COLUMN name, DROP COLUMN agreed_at, DROP COLUMN mailing, DROP COLUMN delivery,
    DROP COLUMN delivery_problem, DROP COLUMN enqueued_at, ADD COLUMN accepted_at timestamptz`,
  `DELETE FROM invitations WHERE token_hash IS NULL`,
  `ALTER TABLE invitations ALTER COLUMN token_hash SET NOT NULL`,
  `CREATE INDEX invitations_pending ON invitations (email, invited_at) WHERE accepted_at IS NULL`,
];

/** What it takes to send invitations and to follow their mails; people's pictures. */
export class InvitePeople1795294800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
