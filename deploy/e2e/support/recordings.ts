import { createHash } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { until } from '@warren/infra/until';
import { getJson } from './api.ts';
import { recordingSettings } from './matrix/bodies.ts';
import { outputOf } from './recording.frames.ts';

/** A recording as the API shows it; what the tests look at. */
export interface RecordingJson {
  id: string;
  kind: 'terminal' | 'desktop';
  person: { id: string; email: string };
  session: string;
  started: string;
  ended: string | null;
  exit: number | null;
  reason: string;
  gaps: number;
  bytes: number;
  stored: number;
}

/** Sets how the sessions of an account are recorded. The request is a SuperAdmin's. */
export async function setRecording(
  request: APIRequestContext,
  hub: string,
  account: string,
  policy: 'off' | 'best_effort' | 'required',
  change: { search?: boolean; desktops?: boolean } = {},
): Promise<void> {
  const headers = { origin: hub };
  const data = { ...recordingSettings, search: false, desktops: false, ...change, account, policy };
  const response = await request.put('/api/recordings/settings', { headers, data });
  if (!response.ok()) throw new Error(`recording settings: ${response.status()} ${await response.text()}`);
}

/** Waits until the recording of a terminal is closed. */
export const recordingOf = (request: APIRequestContext, account: string, session: string): Promise<RecordingJson> =>
  closedRecording(request, `account=${account}`, (one) => one.session === session);

/** Waits until the newest recording of a desktop of a device is closed. */
export const desktopRecordingOf = (
  request: APIRequestContext,
  account: string,
  device: string,
): Promise<RecordingJson> => closedRecording(request, `account=${account}&device=${device}&kind=desktop`, () => true);

/** Waits until the newest recording that fits is closed. */
export async function closedRecording(
  request: APIRequestContext,
  query: string,
  fits: (one: RecordingJson) => boolean,
): Promise<RecordingJson> {
  let found: RecordingJson | undefined;
  await until(async () => {
    const { recordings } = await getJson<{ recordings: RecordingJson[] }>(
      request,
      `/api/recordings?limit=200&${query}`,
    );
    found = recordings.find(fits);
    return found !== undefined && found.ended !== null;
  }, 90_000);
  return found!;
}

/** All output of a recording. */
export async function bytesOf(request: APIRequestContext, id: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of piecesOf(request, id)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The hash of the first bytes of a recording, which is read chunk by chunk. @throws Error if it has fewer */
export async function hashOf(request: APIRequestContext, id: string, length: number): Promise<string> {
  const hash = createHash('sha256');
  let left = length;
  for await (const piece of piecesOf(request, id)) {
    hash.update(piece.subarray(0, left));
    left -= Math.min(left, piece.length);
  }
  if (left > 0) throw new Error(`the recording lacks ${left} of ${length} bytes`);
  return hash.digest('hex');
}

async function* piecesOf(request: APIRequestContext, id: string): AsyncGenerator<Buffer> {
  const chunks = await getJson<{ offsets: number[]; more: boolean }>(request, `/api/recordings/${id}/chunks`);
  if (chunks.more) throw new Error('the recording has more chunks than a page of its index');
  for (const sequence of chunks.offsets.keys()) {
    const response = await request.get(`/api/recordings/${id}/chunks/${sequence}`);
    if (!response.ok()) throw new Error(`chunk ${sequence}: ${response.status()} ${await response.text()}`);
    yield* outputOf(await response.body());
    // Playwright keeps bodies until they are disposed of.
    await response.dispose();
  }
}
