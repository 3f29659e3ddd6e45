import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE refused_sign_ins (
    id uuid PRIMARY KEY,
    time timestamptz NOT NULL DEFAULT now(),
    provider text NOT NULL,
    kind text NOT NULL,
    reason text NOT NULL,
    email text NOT NULL,
    account_id uuid,
    details jsonb NOT NULL,
    remote_address text NOT NULL,
    user_agent text NOT NULL,
    request_id text NOT NULL
  )`,
  'CREATE INDEX refused_sign_ins_kind ON refused_sign_ins (provider, kind, id)',
  'CREATE INDEX refused_sign_ins_account ON refused_sign_ins (account_id, id)',
  'CREATE INDEX refused_sign_ins_time ON refused_sign_ins (time)',
];

export class KeepRefusedSignIns1797292800000 implements MigrationInterface {
  readonly name = 'KeepRefusedSignIns1797292800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE refused_sign_ins');
  }
}
