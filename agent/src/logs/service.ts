import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import {
  WatchLogsResponseSchema,
  type AgentService,
  type WatchLogsRequest,
  type WatchLogsResponse,
} from '@warren/proto/agent/v1/agent';
import type { Logger } from 'pino';
import * as z from 'zod';
import { parseRequest } from '../request.ts';
import type { JournalEntry } from '../system/journal/entry.ts';
import { JournalFailed } from '../system/journal/failure.ts';
import type { Journal } from '../system/journal/journal.ts';
import { readPage, type LogPage } from './page.ts';
import { Places } from './places.ts';
import { watchLogs, type WatchEvent } from './watch.ts';

/** Each watcher and each page is a separate process on the device. */
const WATCHERS_MAX = 8;
const READERS_MAX = 4;
const LINES_MAX = 500;
const LINES_DEFAULT = 200;
const UNITS_MAX = 500;
const UNIT_LENGTH_MAX = 255;

/** The characters that systemd.unit(5) allows in a name; no pattern, and never an option. */
const unit = z.string().regex(/^[\w:.\\@-]{0,255}$/, 'not the name of a unit');
/** journalctl's format: `s=…;i=…;b=…`. */
const cursor = z.string().regex(/^([a-z]=[\da-f]+(;[a-z]=[\da-f]+){0,9})?$/, "not a line's cursor");
const filter = z.object({ unit, text: z.string().max(200) }).default({ unit: '', text: '' });
const lines = z
  .int()
  .max(LINES_MAX)
  .transform((count) => count || LINES_DEFAULT);
const watch = z.object({ filter, after: cursor, lines, userEmail: z.string().max(320) });
const page = z.object({ filter, before: cursor.min(1, 'expected the cursor of a line'), lines });

type LogsApi = Pick<ServiceImpl<typeof AgentService>, 'watchLogs' | 'readLogs' | 'listLogUnits'>;

/** Serves this device's journal to the hub. */
export function logsService(journal: Journal, log: Logger): LogsApi {
  const watchers = new Places(WATCHERS_MAX);
  const readers = new Places(READERS_MAX);
  return {
    watchLogs: (request, context) => serveWatch(journal, watchers, request, context.signal, log),
    readLogs: (request, context) =>
      within(readers, context, log, async () => {
        const { filter, before, lines } = parseRequest(page, request);
        const end = { cursor: before, inclusive: false };
        return toPage(await readPage(journal, filter, end, lines, context.signal));
      }),
    listLogUnits: (_request, context) =>
      within(readers, context, log, async () => ({ units: choose(await journal.units(context.signal)) })),
  };
}

async function* serveWatch(
  journal: Journal,
  watchers: Places,
  request: WatchLogsRequest,
  signal: AbortSignal,
  log: Logger,
): AsyncGenerator<WatchLogsResponse> {
  const wanted = parseRequest(watch, request);
  const release = watchers.take(signal);
  if (!release) throw full(signal);
  // The filter's text is private to its reader.
  const view = { user: wanted.userEmail, unit: wanted.filter.unit };
  log.info(view, 'logs opened');
  try {
    for await (const event of watchLogs(journal, wanted, signal)) yield encode(event);
  } catch (error) {
    throw refusal(error, log);
  } finally {
    release();
    log.info(view, 'logs closed');
  }
}

async function within<T>(places: Places, { signal }: HandlerContext, log: Logger, work: () => Promise<T>): Promise<T> {
  const release = places.take(signal);
  if (!release) throw full(signal);
  try {
    return await work();
  } catch (error) {
    throw refusal(error, log);
  } finally {
    release();
  }
}

function full(signal: AbortSignal): ConnectError {
  if (signal.aborted) return new ConnectError('the caller has left', Code.Canceled);
  return new ConnectError('as many people read the journal as this device allows', Code.ResourceExhausted);
}

/** The person gets the reason of an expected failure; a fault of the agent goes to its log. */
function refusal(error: unknown, log: Logger): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof JournalFailed) return new ConnectError(error.message, Code.FailedPrecondition);
  log.error({ err: error }, 'the journal could not be read');
  return new ConnectError('the agent failed; its log says why', Code.Internal);
}

/** Drops session scopes and one-shot units first: there may be thousands, and they are rarely searched. */
function choose(units: string[]): string[] {
  const named = units.filter((name) => name.length <= UNIT_LENGTH_MAX && !/^(session-|run-)/.test(name));
  return named.sort((a, b) => (a < b ? -1 : 1)).slice(0, UNITS_MAX);
}

function encode(event: WatchEvent): WatchLogsResponse {
  if (event.kind === 'lines') {
    const value = { lines: event.lines.map(toMessage) };
    return create(WatchLogsResponseSchema, { kind: { case: 'lines', value } });
  }
  const value = { ...toPage(event.page), notice: event.notice };
  return create(WatchLogsResponseSchema, { kind: { case: 'page', value } });
}

const toPage = ({ lines, older, reached }: LogPage) => ({ lines: lines.map(toMessage), older, reached });
const toMessage = (line: JournalEntry) => ({ ...line, cut: BigInt(line.cut) });
