import { once } from 'node:events';
import type { Server } from 'node:http';

/** Starts to listen and waits until it does; ends the process in order at SIGTERM. */
export async function serve(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
  process.once('SIGTERM', () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}

/** Runs a process's main function; what it throws is one message, and exit code 1. */
export function main(run: () => Promise<void>): void {
  run().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
}
