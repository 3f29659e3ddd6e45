import { recordingsApi as generated } from './generated/recordings.ts';

/** Recordings, loaded with their pages. */
export const recordingsApi = generated.enhanceEndpoints({
  endpoints: {
    // New sessions begin at any time, so a list that was left is read again.
    listRecordings: { keepUnusedDataFor: 0, providesTags: [{ type: 'Recording', id: 'list' }] },
    getRecording: { providesTags: (_answer, _error, { id }) => [{ type: 'Recording', id }] },
    holdRecording: { invalidatesTags: ['Recording'] },
    // Not the tag of one recording: its page would ask for what is gone.
    deleteRecording: { invalidatesTags: [{ type: 'Recording', id: 'list' }] },
    getRecordingSettings: { providesTags: ['RecordingSettings'] },
    setRecordingSettings: { invalidatesTags: ['RecordingSettings'] },
  },
});
