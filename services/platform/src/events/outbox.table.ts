/** SQL that every service with an outbox puts in its first migration. */
export const CREATE_OUTBOX = `
  CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    subject text NOT NULL,
    payload bytea NOT NULL
  )`;
