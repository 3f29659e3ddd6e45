import { RecordingBudget } from './budget.ts';
import { RecordingClaims } from './claims.ts';
import { Followers } from './followers.ts';

/** What records the sessions that tunnels announces. */
export const feedProviders = [Followers, RecordingBudget, RecordingClaims];
