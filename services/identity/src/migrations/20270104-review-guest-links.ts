import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // No reference to guest_links: its lock would wait for guests who redeem the link.
  `CREATE TABLE guest_reviews (
    link_id uuid PRIMARY KEY,
    marks integer NOT NULL DEFAULT 1,
    due_at timestamptz NOT NULL
  )`,
  'CREATE INDEX guest_reviews_by_due ON guest_reviews (due_at)',
];

/** Guest links whose makers may have lost what the links give. */
export class ReviewGuestLinks1799096400000 implements MigrationInterface {
  readonly name = 'ReviewGuestLinks1799096400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE guest_reviews');
  }
}
