import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether Owner and Admins may observe terminals of an account's devices without their owners' consent. */
export class ObserveTerminals1800702000000 implements MigrationInterface {
  readonly name = 'ObserveTerminals1800702000000';

  async up(runner: QueryRunner): Promise<void> {
    // With a constant default no row is written, and replicas of the version before insert rows without it.
    await runner.query('ALTER TABLE access_rules ADD COLUMN observe_terminals boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_rules DROP COLUMN observe_terminals');
  }
}
