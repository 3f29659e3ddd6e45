import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

/** Inserts a domain that DNS has proved. */
export const insertDomain = (source: DataSource, account: string, name: string) =>
  source.query(
    `INSERT INTO account_domains (id, account_id, name, token, created_by, verified, proof)
     VALUES ($1, $2, $3, 'token', '', now(), 'dns')`,
    [randomUUID(), account, name],
  );

/** Inserts an invitation into a group. */
export const insertInvitation = (source: DataSource, to: { account: string; email: string; group: string }) =>
  source.query(
    `INSERT INTO invitations (id, account_id, group_id, email, invited_at, expires, name, mailing, delivery, delivery_problem)
     SELECT gen_random_uuid(), $1, id, $2, now(), now() + interval '1 day', '', gen_random_uuid(), 'Sent', ''
     FROM groups WHERE account_id = $1 AND name = $3`,
    [to.account, to.email, to.group],
  );
