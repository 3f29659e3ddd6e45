import type { DatabaseConfig } from '../config/common.ts';
import { readNamedFile } from '../config/file.ts';
import { ConfigError } from '../config/load.ts';

/** The database settings of a process's configuration. */
export type DatabaseSettings = Pick<DatabaseConfig, 'DATABASE_URL' | 'DATABASE_POOL'> & Partial<DatabaseConfig>;

/** Which PostgreSQL to connect to. */
export interface DatabaseServer {
  url: string;
  /** Maximum connections. */
  pool: number;
  /** PEM certificates of the server's authority; the connection then uses TLS. */
  ca?: string;
}

/** @throws ConfigError for settings that contradict each other, or a file that can't be read */
export function databaseServer(config: DatabaseSettings): DatabaseServer {
  const url = new URL(config.DATABASE_URL);
  if (config.DATABASE_PASSWORD) url.password = encodeURIComponent(config.DATABASE_PASSWORD);
  const { DATABASE_CA_FILE: file } = config;
  const server = { url: url.href, pool: config.DATABASE_POOL };
  if (!file) return server;
  if ([...url.searchParams.keys()].some((key) => key.startsWith('ssl'))) {
    throw new ConfigError('DATABASE_CA_FILE: expected a DATABASE_URL that says nothing of ssl by itself');
  }
  return { ...server, ca: readNamedFile('DATABASE_CA_FILE', file) };
}
