import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react';
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query/react';
import { learnClock } from '../clock.ts';
import { recentSignIn } from '../recent-sign-in.ts';
import { newTrace } from './trace.ts';

const SESSION = '/auth/saml/getsession';

declare global {
  interface Window {
    /** The response with the session, which `public/boot.js` requested before the first script; used once. */
    warrenSession?: Promise<Response>;
  }
}

/** Uses the response that `boot.js` has requested, if any. */
const fetchOnce: typeof fetch = (input, init) => {
  const early = window.warrenSession;
  if (!early || !(input instanceof Request) || new URL(input.url).pathname !== SESSION) return fetch(input, init);
  delete window.warrenSession;
  return early;
};

const send = fetchBaseQuery({
  fetchFn: fetchOnce,
  baseUrl: '/',
  timeout: 20_000,
  prepareHeaders: (headers) => headers.set('traceparent', newTrace()),
});

/** Codes of a 403 about the person, not the request. */
const STALE = 'recent_sign_in_required';
const DENIALS = ['need_accept', 'account_issue', 'account_disable'];

/** What an account asks a recent sign-in for, and the session is too old. */
const wantsSignIn = ({ data }: FetchBaseQueryError) => (data as { code?: unknown } | undefined)?.code === STALE;

function concernsSession({ status, data }: FetchBaseQueryError): boolean {
  if (status === 401) return true;
  const code = (data as { code?: unknown } | undefined)?.code;
  return status === 403 && DENIALS.includes(String(code));
}

/** Sends a call. A response about an invalid session reloads the session, which leads to sign-in or a notice. */
const sendSignedIn: ReturnType<typeof fetchBaseQuery> = async (args, call, extra) => {
  const answer = await send(args, call, extra);
  learnClock(answer.meta?.response?.headers.get('date'));
  const url = typeof args === 'string' ? args : args.url;
  if (answer.error && url !== SESSION && concernsSession(answer.error))
    call.dispatch(baseApi.util.invalidateTags(['Session']));
  if (answer.error && wantsSignIn(answer.error)) recentSignIn.want(true);
  return answer;
};

/**
 * The one API of the console; the endpoints come from the hub's OpenAPI description (`npm run api`).
 * @public imported by generated code
 */
export const baseApi = createApi({
  reducerPath: 'api',
  baseQuery: sendSignedIn,
  tagTypes: [
    'Session',
    'Device',
    'Account',
    'Group',
    'User',
    'Invitation',
    'Home',
    'Rollout',
    'Window',
    'Quota',
    'ServiceAccount',
    'View',
    'BulkJob',
    'Alert',
    'AlertRule',
    'AlertSilence',
    'Channel',
    'Notification',
    'Token',
    'Domain',
    'Access',
    'AccessRequest',
    'GuestLink',
    'AuditStream',
    'AuditRetention',
    'Recording',
    'RecordingSettings',
  ],
  refetchOnReconnect: true,
  endpoints: () => ({}),
});
