import type { FollowInputSchema, TerminalInputSchema, TerminalOutputSchema } from '@warren/proto/agent/v1/agent';
import type { StreamingCall } from './call.ts';

export type TerminalCall = StreamingCall<typeof TerminalInputSchema, typeof TerminalOutputSchema>;
export type FollowCall = StreamingCall<typeof FollowInputSchema, typeof TerminalOutputSchema>;
