import { describe, expect, it } from '@jest/globals';
import { chartValue } from '@warren/infra/chart';
import { tunnelsConfig } from './config.ts';

const { shape } = tunnelsConfig;
const VALUES = {
  'tunnels.maxLinks': shape.MAX_LINKS,
  'tunnels.maxSockets': shape.MAX_SOCKETS,
  'tunnels.limits.deviceStreams': shape.MAX_DEVICE_STREAMS,
  'tunnels.limits.accountStreams': shape.MAX_ACCOUNT_STREAMS,
  'tunnels.limits.deviceBuffer': shape.MAX_DEVICE_BUFFER,
  'tunnels.limits.accountBuffer': shape.MAX_ACCOUNT_BUFFER,
  'tunnels.limits.deviceFrames': shape.MAX_DEVICE_FRAMES,
  'tunnels.limits.accountFrames': shape.MAX_ACCOUNT_FRAMES,
};

describe("the chart's schema and tunnels", () => {
  it.each(Object.entries(VALUES))('take the same numbers: %s', (path, setting) => {
    const value = chartValue(path);
    for (const number of [value.minimum - 1, value.minimum, value.maximum, value.maximum + 1])
      expect([number, setting.safeParse(String(number)).success]).toEqual([number, value.accepts(number)]);
  });

  it.each([
    ['nats.url', 'nats://a:4222', shape.NATS_URL],
    ['nats.url', 'tls://a:4222,tls://b:4222', shape.NATS_URL],
    ['nats.url', 'nats.example.com:4222', shape.NATS_URL],
    ['nats.url', 'https://a', shape.NATS_URL],
    ['redis.url', 'rediss://a:6380/0', shape.REDIS_URL],
    ['redis.url', 'a:6379', shape.REDIS_URL],
    ['redis.nodes.items', 'sentinel-0:26379', shape.REDIS_NODES],
    ['redis.nodes.items', '[fd00::1]:26379', shape.REDIS_NODES],
    ['redis.nodes.items', 'redis://a:1', shape.REDIS_NODES],
    ['redis.nodes.items', 'a', shape.REDIS_NODES],
    ['hub.deviceDomain', 'devices.example.net', shape.DEVICE_DOMAIN],
    ['hub.deviceDomain', 'devices example.net', shape.DEVICE_DOMAIN],
    ['hub.deviceDomain', 'https://devices.example.net', shape.DEVICE_DOMAIN],
    ['observability.otlpEndpoint', 'http://collector:4318', shape.OTEL_EXPORTER_OTLP_ENDPOINT],
    ['observability.otlpEndpoint', 'collector:4318', shape.OTEL_EXPORTER_OTLP_ENDPOINT],
  ] as const)('agree about %s %j', (path, text, setting) => {
    expect(setting.safeParse(text).success).toBe(chartValue(path).accepts(text));
  });
});
