import type { Provider } from '@nestjs/common';
import type { AuditConfig } from '../config.ts';
import { ExportContents } from './export/contents.ts';
import { RecordingExportsRpc } from './export/exports.rpc.ts';
import { RecordingExports } from './export/recording.exports.ts';
import { RECORDING_DEFAULTS, RecordingQuota } from './keep/quota.ts';
import { RecordingKeeper } from './keep/recording.keeper.ts';
import { Sweeper } from './keep/sweeper.ts';
import { RecordingManager } from './manage/manage.service.ts';
import { RecordingPolicyService } from './manage/policy.service.ts';
import { RecordingSettingsService } from './manage/settings.service.ts';
import { RecordingsRpc } from './recordings.rpc.ts';
import { Indexer } from './search/indexer.ts';
import { ScreenHost } from './search/screen.host.ts';
import { SearchService } from './search/search.service.ts';
import { openStore } from './store/open.store.ts';
import { RecordingKeys } from './store/recording.keys.ts';
import { OBJECT_STORE, RecordingStore } from './store/recording.store.ts';
import { StoredWriter } from './write/stored.writer.ts';
import { ContinuousVerification } from './verify/continuous.verification.ts';
import { RecordingVerifier } from './verify/recording.verifier.ts';
import { ChunkReader } from './view/chunk.reader.ts';
import { PlayService } from './view/play.service.ts';
import { ViewService } from './view/view.service.ts';
import { RecordingWriter } from './writer.ts';

const GIB = 1_073_741_824;

/** Providers of recordings of sessions. */
export function recordingProviders(config: AuditConfig): Provider[] {
  const defaults = { days: config.RECORDINGS_DAYS, quota: config.RECORDINGS_QUOTA_GIB * GIB };
  return [
    ChunkReader,
    ContinuousVerification,
    ExportContents,
    Indexer,
    PlayService,
    RecordingExports,
    RecordingExportsRpc,
    RecordingKeeper,
    RecordingKeys,
    RecordingManager,
    RecordingPolicyService,
    RecordingQuota,
    RecordingSettingsService,
    RecordingsRpc,
    RecordingStore,
    RecordingVerifier,
    ScreenHost,
    SearchService,
    Sweeper,
    ViewService,
    { provide: OBJECT_STORE, useFactory: () => openStore(config) },
    { provide: RECORDING_DEFAULTS, useValue: defaults },
    { provide: RecordingWriter, useClass: StoredWriter },
  ];
}
