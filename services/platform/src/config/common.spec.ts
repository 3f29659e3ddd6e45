import { describe, expect, it } from '@jest/globals';
import { commonConfig, databaseConfig, deviceDomainSchema, listenConfig, originSchema, redisConfig } from './common.ts';
import { problemsOf } from './load.ts';

const schema = commonConfig.extend({
  ...redisConfig.shape,
  ...databaseConfig.shape,
  ...listenConfig.shape,
  HUB_URL: originSchema,
  DEVICE_DOMAIN: deviceDomainSchema,
});
const development = { NODE_ENV: 'development' };

describe('the errors of a variable', () => {
  it.each([
    ['NATS_URL', 'expected nats://host:port or tls://host:port, several separated by commas, such as nats://nats:4222'],
    ['REDIS_URL', 'expected redis://host:port or rediss://host:port, such as redis://redis:6379'],
    [
      'DATABASE_URL',
      'expected postgres://user:password@host:port/database, such as postgres://warren_identity:…@db:5432/warren',
    ],
    ['PORT', 'expected a whole number from 0 to 65535, such as 9080'],
    ['HUB_URL', 'expected http://host or https://host, such as https://hub.example.com'],
    ['DEVICE_DOMAIN', 'expected a host name, with :port if it is not the usual one, such as devices.example.com'],
  ])('that is not set names what was expected: %s', (name, expected) => {
    expect(problemsOf(schema, development)).toContain(`${name}: ${expected} (came: not set)`);
  });

  it.each([
    ['LOG_LEVEL', 'loud', 'expected trace, debug, info, warn, error, fatal or silent (came: "loud")'],
    ['OPS_PORT', '-1.5', 'expected a whole number from 0 to 65535, such as 9080 (came: "-1.5")'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'expected a number from 0 to 1, such as 0.1 (came: "2")'],
    [
      'HUB_URL',
      'hub.example.com',
      'expected http://host or https://host, such as https://hub.example.com (came: "hub.',
    ],
    ['HUB_URL', 'https://h/path', 'expected an origin without a path, such as https://hub.example.com (came: "https:'],
    ['HUB_URL', 'ftp://me:hunter2@hub', 'such as https://hub.example.com (came: a value not shown here)'],
    ['NATS_URL', 'http://nats', 'such as nats://nats:4222 (came: a value not shown here)'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'me:hunter2@h', 'such as http://collector:4318 (came: a value not shown here)'],
  ])('whose value will not do says what came, in one line: %s=%s', (name, value, line) => {
    const lines = problemsOf(schema, { ...development, [name]: value }).filter((one) => one.startsWith(`${name}:`));
    expect(lines).toEqual([expect.stringContaining(line)]);
  });

  it('has an example or all there is to choose from, whichever it is', () => {
    const wrong = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, '\t']));
    const lines = problemsOf(schema, wrong);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !/: expected .*(, such as | or )/.test(line))).toEqual([]);
  });
});
