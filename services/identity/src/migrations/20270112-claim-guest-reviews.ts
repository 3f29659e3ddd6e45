import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds when reviews of guest links were marked, and until when a replica has claimed them. */
export class ClaimGuestReviews1799712000000 implements MigrationInterface {
  readonly name = 'ClaimGuestReviews1799712000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE guest_reviews ADD COLUMN marked_at timestamptz NOT NULL DEFAULT now(), ADD COLUMN claimed_until timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE guest_reviews DROP COLUMN marked_at, DROP COLUMN claimed_until');
  }
}
