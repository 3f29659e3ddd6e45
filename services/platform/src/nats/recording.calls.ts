import { RecordingExportsService, RecordingsService } from '@warren/proto/audit/v1/recordings';
import { methods } from './methods.ts';

/** What the gateway asks of recordings. */
export const RECORDING_CALLS = [
  ...methods(
    RecordingsService,
    'listRecordings',
    'getRecording',
    'listChunks',
    'readChunk',
    'findSnapshot',
    'searchRecordings',
    'startExport',
    'deleteRecording',
    'holdRecording',
    'getRecordingSettings',
    'setRecordingSettings',
  ),
  ...methods(RecordingExportsService, 'readExport', 'cancelExport'),
];
