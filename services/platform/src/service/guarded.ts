import { ConfigError, EXIT_CONFIG } from '../config/load.ts';

/** A start that fails says why in one place and exits 1; a bad configuration without a stack, and with 78. */
export async function guarded<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const unusable = error instanceof ConfigError;
    process.stderr.write(`${unusable ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(unusable ? EXIT_CONFIG : 1);
  }
}
