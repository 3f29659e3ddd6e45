import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { HubClock } from '@warren/agent/link/clock';
import { dialToken } from '@warren/agent/link/credential';
import { dial } from '@warren/agent/link/dial';
import { serveLink, type RequestHandler } from '@warren/agent/link/link';
import { SampleBuffer } from '@warren/agent/metrics/buffer';
import { readEnrolment, type Enrolment } from '@warren/agent/state/enrolment';
import { readKey, type DeviceKey } from '@warren/agent/state/key';
import { END_STREAM, envelope, ENVELOPE_HEAD } from '@warren/proto/envelope';
import {
  AgentService,
  MetricsBatchSchema,
  MetricsSampleSchema,
  TakeMetricsRequestSchema,
  type MetricsSample,
} from '@warren/proto/agent/v1/agent';
import { randomUUID } from 'node:crypto';
import type { ServerHttp2Stream } from 'node:http2';
import { buffer } from 'node:stream/consumers';

const TAKE_METRICS = `/${AgentService.typeName}/${AgentService.method.takeMetrics.name}`;
const HOUR = 3_600;
/** What an agent keeps. */
const HOURS = 24;
/** The step of a chart of a day. */
const STEP = 120;
const GIB = 1024 ** 3;
const BOOTED_HOURS_AGO = 9;
/** On a loaded machine a link may break, as one of an agent would. */
const MOST_LINKS = 3;

/**
 * Links as an enrolled device whose agent does not run, after a day without a hub: gives the hub the samples of that day, as an agent does
 * after an outage, and leaves.
 * @param state the folder of the agent's state
 * @param hours of samples, up to now
 */
export async function reportPast(state: string, hours = HOURS): Promise<void> {
  const [device, key] = [await readEnrolment(state), await readKey(state)];
  if (!device || !key) throw new Error(`${state}: no device is enrolled here`);
  const samples = pastSamples(device.device_id, Math.floor(Date.now() / 1_000), hours);
  const dialer = { device, key, instance: randomUUID() };
  for (let links = 1; ; links++) {
    const why = await giveAll(samples, dialer);
    if (why === undefined) return;
    if (links === MOST_LINKS) throw new Error(`the link of ${device.device_id} ended: ${why}`);
  }
}

interface Dialer {
  device: Enrolment;
  key: DeviceKey;
  instance: string;
}

/** @returns why the link ended before all samples were stored; undefined if they are */
async function giveAll(samples: SampleBuffer, { device, key, instance }: Dialer): Promise<string | undefined> {
  const clock = new HubClock();
  const token = dialToken(key, device, clock.now(), instance);
  const { hub } = device;
  const carrier = await dial({ hub, token, version: '0.1.0', clock, signal: new AbortController().signal });
  const given = Promise.withResolvers<undefined>();
  const link = serveLink(
    carrier,
    handlerOf(samples, () => given.resolve(undefined)),
  );
  const why = await Promise.race([given.promise, link.closed]);
  link.close();
  await link.closed;
  return why;
}

/** Answers the hub for an agent with nothing but samples. @param onEmpty is called when the hub has stored all of them */
function handlerOf(samples: SampleBuffer, onEmpty: () => void): RequestHandler {
  return (request, response) => {
    if (request.url !== TAKE_METRICS) return void response.writeHead(404).end();
    void give(response.stream, samples).then((isEmpty) => isEmpty && onEmpty());
  };
}

/** The call by hand (Connect protocol, server streaming). */
async function give(stream: ServerHttp2Stream, samples: SampleBuffer): Promise<boolean> {
  stream.on('error', () => {});
  const request = await buffer(stream).catch(() => undefined);
  if (!request || stream.destroyed) return false;
  const { stored, limit } = fromBinary(TakeMetricsRequestSchema, request.subarray(ENVELOPE_HEAD));
  samples.stored(stored);
  const { samples: given } = samples.oldest(limit);
  stream.respond({ ':status': 200, 'content-type': 'application/connect+proto' });
  // The hub says with its next call what it has stored, and asks at once where there are more.
  const answer = create(MetricsBatchSchema, { samples: given, more: given.length > 0 });
  stream.write(envelope(0, toBinary(MetricsBatchSchema, answer)));
  stream.end(envelope(END_STREAM, Buffer.from('{}')));
  return given.length === 0;
}

/** Samples of some hours up to now, which is in seconds since 1970. */
function pastSamples(id: string, now: number, hours: number): SampleBuffer {
  const samples = new SampleBuffer();
  const last = now - (now % STEP);
  // Devices are not alike.
  const phase = Number.parseInt(id.replaceAll('-', '').slice(-4), 16) / 0xffff;
  for (let time = last - hours * HOUR + STEP; time <= last; time += STEP) samples.add(sampleAt(time, last, phase));
  return samples;
}

/** A device that is busier by day, and has a job every three hours. */
function sampleAt(time: number, now: number, phase: number): MetricsSample {
  const day = (Math.sin((2 * Math.PI * time) / (HOURS * HOUR) + 2 * Math.PI * phase) + 1) / 2;
  const noise = (Math.sin(time / 211) + Math.sin(time / 97 + phase * 9) + Math.sin(time / 431)) / 3;
  const isAtWork = (time / HOUR + phase * 3) % 3 < 0.35;
  const cpu = Math.max(1, 8 + 14 * day + 4 * noise + (isAtWork ? 38 : 0));
  const age = (now - time) / HOUR;
  const booted = age <= BOOTED_HOURS_AGO;
  const bytes = (amount: number) => BigInt(Math.round(amount));
  return create(MetricsSampleSchema, {
    time,
    cpuPercent: cpu,
    load1: cpu / 28,
    memoryUsed: bytes((booted ? 1.1 + (BOOTED_HOURS_AGO - age) * 0.06 + noise * 0.04 : 2 - age * 0.02) * GIB),
    memoryTotal: bytes(4 * GIB),
    temperature: Math.round(44 + 10 * day + (isAtWork ? 7 : 0) + noise),
    disks: [{ mount: '/', used: bytes((17 - age * 0.08) * GIB), total: bytes(32 * GIB) }],
    interfaces: [
      { name: 'eth0', rxBytes: bytes(cpu * 60_000 * (1.2 + noise)), txBytes: bytes(cpu * 22_000 * (1.2 - noise)) },
    ],
    boot: Math.round((booted ? now - BOOTED_HOURS_AGO * HOUR : now - 40 * HOUR) / 10) * 10,
    throttled: 0,
  });
}
