import { CREATE_OUTBOX } from '@warren/platform/events/outbox.sql';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE api_tokens (
    id uuid PRIMARY KEY,
    hash text NOT NULL UNIQUE,
    hint text NOT NULL,
    name text NOT NULL,
    user_id uuid NOT NULL,
    email text NOT NULL CHECK (email = lower(email)),
    account_id uuid NOT NULL,
    permissions text[] NOT NULL,
    filter text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    used_from text NOT NULL DEFAULT '',
    revoked_at timestamptz
  )`,
  'CREATE INDEX api_tokens_user ON api_tokens (user_id, created_at)',
  'CREATE INDEX api_tokens_account ON api_tokens (account_id, created_at)',
  CREATE_OUTBOX,
];

const DOWN = ['DROP TABLE outbox', 'DROP TABLE api_tokens'];

export class CreateApiTokens1797120000000 implements MigrationInterface {
  readonly name = 'CreateApiTokens1797120000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
