import pg from 'pg';

/** Runs one statement as the database's administrator, for states that no call of this version leads to. */
export async function query<Row extends pg.QueryResultRow>(
  database: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
