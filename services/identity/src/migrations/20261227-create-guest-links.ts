import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE guest_links (
    id uuid PRIMARY KEY,
    hash text NOT NULL,
    account_id uuid NOT NULL,
    device_id uuid NOT NULL,
    device_name text NOT NULL,
    maker_id uuid NOT NULL,
    maker_email text NOT NULL CHECK (maker_email = lower(maker_email)),
    maker_name text NOT NULL,
    purpose text NOT NULL,
    pin text,
    wrong_pins integer NOT NULL DEFAULT 0,
    uses integer NOT NULL DEFAULT 0,
    most_uses integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    ended_reason text NOT NULL DEFAULT ''
  )`,
  'CREATE INDEX guest_links_of_device ON guest_links (device_id, created_at)',
  'CREATE INDEX guest_links_of_account ON guest_links (account_id) WHERE ended_at IS NULL',
  'CREATE INDEX guest_links_of_maker ON guest_links (maker_id) WHERE ended_at IS NULL',
  'CREATE INDEX guest_links_by_expiry ON guest_links (expires_at) WHERE ended_at IS NULL',
  'CREATE INDEX guest_links_by_end ON guest_links (ended_at) WHERE ended_at IS NOT NULL',
  `CREATE TABLE guests (
    id uuid PRIMARY KEY,
    link_id uuid NOT NULL REFERENCES guest_links ON DELETE CASCADE,
    hash text NOT NULL UNIQUE,
    name text NOT NULL,
    address text NOT NULL,
    joined_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX guests_of_link ON guests (link_id)',
];

/** Links that open one device to people without a user, and the guests whom they let in. */
export class CreateGuestLinks1798329600000 implements MigrationInterface {
  readonly name = 'CreateGuestLinks1798329600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['guests', 'guest_links']) await runner.query(`DROP TABLE ${table}`);
  }
}
