import { describe, expect, it } from '@jest/globals';
import { chosenServices, environmentOf } from './environment.ts';

describe('environmentOf', () => {
  const all = {
    NATS_URL: 'nats://bus',
    NATS_USER: 'nobody',
    TENANCY_NATS_USER: 'tenancy',
    DEVICES_NATS_USER: 'devices',
  };

  it("takes what bears a service's name before what is for all", () => {
    expect(environmentOf('tenancy', all)).toMatchObject({ NATS_URL: 'nats://bus', NATS_USER: 'tenancy' });
    expect(environmentOf('identity', all)).toMatchObject({ NATS_USER: 'nobody' });
  });

  it('gives no service what is another one\u2019s', () => {
    expect(environmentOf('devices', { TENANCY_DATABASE_URL: 'x' })).not.toHaveProperty('DATABASE_URL');
  });
});

describe('chosenServices', () => {
  const names = ['identity', 'tenancy', 'gateway'] as const;

  it('are all, or those that are named, in the order of their start', () => {
    expect(chosenServices(names)).toEqual(names);
    expect(chosenServices(names, 'gateway, identity')).toEqual(['identity', 'gateway']);
  });

  it('are none of another name', () => {
    expect(() => chosenServices(names, 'gateway,audit')).toThrow(
      'SERVICES: expected all, or some of identity, tenancy, gateway with commas (came: "audit")',
    );
  });
});
