import type { ClientBase } from 'pg';

/** Each connection keeps its plans of these statements in the server's memory. */
const MAX_STATEMENTS = 100;
const names = new Map<string, string>();

/**
 * Has the server keep the plan of a statement that runs often: planning the larger ones takes longer than running them. Only for texts of
 * which there are few; values are parameters.
 * @returns the statement
 */
export function prepared(sql: string): string {
  if (!names.has(sql) && names.size < MAX_STATEMENTS) names.set(sql, `warren_${names.size}`);
  return sql;
}

/**
 * Prepares statements on a new connection, unless a pooler such as PgBouncer is in between: another server process may get the next
 * statement there. A pooler announces another process id than the server's.
 */
export async function prepareOn(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  if (rows[0]?.pid !== (client as unknown as { processID: number | null }).processID) return;
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  const named = (text: unknown, values?: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? names.get(text) : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
  };
  client.query = named as typeof client.query;
}
