import {
  RECORDING_PATH,
  RECORDING_UPGRADE,
  RecordingChannel,
  type ChannelEvents,
} from '@warren/platform/recordings/channel';
import { RecordingInputSchema, RecordingOutputSchema } from '@warren/proto/tunnels/v1/recordings';
import { Agent, request as httpRequest } from 'node:http';

export type TerminalStream = RecordingChannel<typeof RecordingOutputSchema, typeof RecordingInputSchema>;

const ANSWER_MS = 5_000;
/** After the upgrade a connection is not HTTP any more. */
const oneEach = new Agent({ keepAlive: false });

/**
 * Opens the stream of a session at the replica of tunnels that holds its device.
 * @param address the replica's data-plane origin, `http://host:port`
 * @throws Error if the replica does not take it within 5 s
 */
export function openStream(
  address: string,
  ticket: string,
  events: ChannelEvents<typeof RecordingOutputSchema>,
): Promise<TerminalStream> {
  return new Promise((resolve, reject) => {
    const headers = { Connection: 'Upgrade', Upgrade: RECORDING_UPGRADE, Authorization: `Bearer ${ticket}` };
    const asked = httpRequest(new URL(RECORDING_PATH, address), { agent: oneEach, headers });
    const timer = setTimeout(() => asked.destroy(new Error('tunnels did not answer')), ANSWER_MS);
    asked.on('upgrade', (_response, socket, head) => {
      clearTimeout(timer);
      resolve(new RecordingChannel(socket, head, RecordingOutputSchema, RecordingInputSchema, events));
    });
    asked.on('response', (response) => {
      response.resume();
      asked.destroy(new Error(`tunnels answered ${response.statusCode}`));
    });
    asked.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    asked.end();
  });
}
