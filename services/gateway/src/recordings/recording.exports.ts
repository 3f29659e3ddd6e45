import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import {
  RecordingExportsService,
  RecordingsService,
  type StartExportResponse,
} from '@warren/proto/audit/v1/recordings';
import type { RecordingFormat } from '@warren/rules/recordings/settings';
import { Readable } from 'node:stream';
import { SessionReader } from '../auth/session.reader.ts';
import type { SignedIn } from '../http/signed-in.request.ts';
import { sameAccess } from '../live/change.ts';
import { formatOf } from './recording.mapper.ts';

/** Longer than the audit service takes for a part. */
const TIMEOUT_MS = 30_000;
/** An export may run for minutes: rights are checked again after so long. */
const CHECK_MS = 10_000;

interface Asker {
  caller: Caller;
  signedIn: SignedIn;
}

/** Passes exports on, part by part: the next one only when the browser has taken the one before. */
@Injectable()
export class RecordingExports {
  constructor(
    @InjectRpc(RecordingsService) private readonly recordings: RpcClient<typeof RecordingsService>,
    @InjectRpc(RecordingExportsService) private readonly exports: RpcClient<typeof RecordingExportsService>,
    private readonly sessions: SessionReader,
  ) {}

  /** @throws Fault `permission_denied`, `not_found`; `resource_exhausted` beyond the exports at the same time */
  async start(
    asker: Asker,
    { id, format }: { id: string; format: RecordingFormat },
  ): Promise<StartExportResponse & { file: Readable }> {
    const started = await this.recordings.startExport(asker.caller, { id, format: formatOf(format) });
    return { ...started, file: Readable.from(this.parts(asker, started)) };
  }

  private async *parts(asker: Asker, { exportId, instance }: StartExportResponse): AsyncGenerator<Uint8Array> {
    const options = { instance, timeoutMs: TIMEOUT_MS };
    let checked = performance.now();
    let ended = false;
    try {
      while (!ended) {
        const { content, end } = await this.exports.readExport(asker.caller, { exportId }, options);
        if (content.length > 0) yield content;
        ended = end;
        if (performance.now() - checked < CHECK_MS) continue;
        await this.requireSameAccess(asker);
        checked = performance.now();
      }
    } finally {
      // The audit service ends it by itself where this call does not arrive.
      if (!ended) await this.exports.cancelExport(asker.caller, { exportId }, options).catch(() => {});
    }
  }

  private async requireSameAccess({ caller, signedIn }: Asker): Promise<void> {
    const now = await this.sessions.read(signedIn.secret, caller.requestId, true);
    if (now.caller && sameAccess(requireUser(caller), requireUser(now.caller))) return;
    throw new Fault('permission_denied', 'your rights have changed; start the export again.');
  }
}
