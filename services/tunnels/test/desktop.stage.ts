import { expect } from '@jest/globals';
import { until } from '@warren/infra/until';
import type { RecordingPolicy } from '@warren/proto/audit/v1/recordings';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import type { RecordedEnd, RecordingInput } from '@warren/proto/tunnels/v1/recordings';
import type { ServerHttp2Stream } from 'node:http2';
import type { RecordedDesktop } from '../src/recordings/recorded.desktop.ts';
import { RecordedStage } from './recorded.stage.ts';
import type { Recorder } from './recorder.ts';
import type { Browser } from './world.ts';

const DESKTOP = { namespace: 'desktop', purpose: SocketPurpose.DESKTOP };

/** What tunnels keeps of a desktop. */
export const LIMIT = 2 << 20;
export const closed: RecordingInput['kind'] = {
  case: 'closed',
  value: { $typeName: 'warren.tunnels.v1.RecordingClosed' },
};

/** The device of a test whose desktops are recorded. */
export class DesktopStage extends RecordedStage {
  /** VNC servers that the device was connected to. */
  servers: ServerHttp2Stream[] = [];

  /** Links the device of an account with a policy. */
  async ready(policy: RecordingPolicy): Promise<void> {
    this.world.neighbours.desktopPolicies.set(this.device.id, policy);
    this.servers = [];
    const onConnect = (_authority: string, stream: ServerHttp2Stream) => {
      stream.on('error', () => {});
      stream.respond({ ':status': 200 });
      stream.resume();
      this.servers.push(stream);
    };
    await this.link({ onConnect });
  }

  open(): Browser & { shown: () => Buffer } {
    const browser = this.world.browser(this.device.id, DESKTOP);
    const pieces: Buffer[] = [];
    browser.socket.on('vnc_stream', ({ data }: { data: Buffer }) => pieces.push(data));
    browser.socket.emit('start_vnc', { encoding: 'binary' });
    return Object.assign(browser, { shown: () => Buffer.concat(pieces) });
  }

  /** Opens a desktop that a recorder reads. */
  async begin(policy: RecordingPolicy) {
    await this.ready(policy);
    const browser = this.open();
    const recorder = await this.record('desktop');
    expect(await statusOf(browser)).toEqual({ success: true });
    return { browser, recorder, server: this.servers[0]! };
  }

  sourceOf(session: string): RecordedDesktop | undefined {
    return this.sources.find(this.device.id, session) as RecordedDesktop | undefined;
  }
}

export async function statusOf(browser: Browser): Promise<{ success: boolean; code?: string; error?: string }> {
  await until(() => browser.heard('vnc_status') !== undefined);
  return browser.heard('vnc_status') as { success: boolean; code?: string; error?: string };
}

/** What a recorder heard last of a desktop. */
export const endOf = (recorder: Recorder) => recorder.of('end') as RecordedEnd | undefined;
