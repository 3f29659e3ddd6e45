import { recordingSettings } from './bodies.ts';
import { ofAccount, one, type Maker } from './makers.ts';

/** Right inputs for the operations about recordings. */
export const recordingInputs: Record<string, Maker> = {
  listRecordings: ofAccount,
  searchRecordings: (place) => ({ values: { account: place.id, search: 'matrix' } }),
  getRecording: one('recording'),
  listRecordingChunks: one('recording'),
  getRecordingChunk: async (place) => ({ values: { id: await place.thing('recording'), sequence: 0 } }),
  getRecordingSnapshot: one('recording'),
  exportRecording: one('recording'),
  // As it is. The reason is for other calls, which hold it.
  holdRecording: async (place) => ({
    values: { id: await place.thing('recording'), held: false, reason: 'Matrix' },
  }),
  deleteRecording: async (place) => ({ values: { id: await place.releasedRecording() }, spends: 'recording' }),
  getRecordingSettings: ofAccount,
  // As they are.
  setRecordingSettings: (place) => ({ values: { account: place.id, ...recordingSettings } }),
};
