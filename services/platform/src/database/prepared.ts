import { Client } from 'pg';

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

/** Whether the server got the time limits that a connection begins with; a pooler keeps them to itself. */
const IS_DIRECT = `SELECT source = 'client' AS direct FROM pg_settings WHERE name = 'statement_timeout'`;

/**
 * A connection that prepares statements by name, unless a pooler such as PgBouncer is in between: another server process may get the next
 * statement there.
 */
export class PreparingClient extends Client {
  private prepares = false;

  /** Runs once on a new connection, before it is used. */
  async prepareIfDirect(): Promise<void> {
    const { rows } = await super.query<{ direct: boolean }>(IS_DIRECT);
    this.prepares = rows[0]?.direct === true;
  }

  /** Covers all signatures of `Client.query`. */
  override query(...[statement, ...rest]: never[]): never {
    return super.query(this.named(statement) as never, ...(rest as [never, never])) as never;
  }

  private named(statement: unknown): unknown {
    const name = this.prepares && typeof statement === 'string' ? names.get(statement) : undefined;
    return name === undefined ? statement : { name, text: statement };
  }
}
