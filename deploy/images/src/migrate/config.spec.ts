import { describe, expect, it } from '@jest/globals';
import { readConfig, wanted } from './config.ts';

const url = (service: string, database = 'warren') =>
  `postgres://warren_${service}:p%40ss-${service}@db:5432/${database}`;
const GOOD = {
  IDENTITY_DATABASE_URL: url('identity'),
  TENANCY_DATABASE_URL: url('tenancy'),
  DEVICES_DATABASE_URL: url('devices'),
  FLEET_DATABASE_URL: url('fleet'),
  AUDIT_DATABASE_URL: url('audit'),
};

describe('the environment of the migrations', () => {
  it('takes an empty variable as not given', () => {
    expect(readConfig({ ...GOOD, ADMIN_DATABASE_URL: '' }).admin).toBeUndefined();
  });

  it('names every variable that is missing or wrong, and no value', () => {
    const read = () =>
      readConfig({ ...GOOD, TENANCY_DATABASE_URL: 'mysql://root:hunter2@db', DEVICES_DATABASE_URL: '' });
    expect(read).toThrow(/TENANCY_DATABASE_URL: expected postgres.*\nDEVICES_DATABASE_URL: /);
    expect(read).not.toThrow(/hunter2/);
  });

  it('reads the database, the roles and the passwords as they are from the addresses', () => {
    expect(wanted(readConfig(GOOD).databases)).toEqual({
      database: 'warren',
      roles: {
        identity: 'warren_identity',
        tenancy: 'warren_tenancy',
        devices: 'warren_devices',
        fleet: 'warren_fleet',
        audit: 'warren_audit',
      },
      passwords: {
        identity: 'p@ss-identity',
        tenancy: 'p@ss-tenancy',
        devices: 'p@ss-devices',
        fleet: 'p@ss-fleet',
        audit: 'p@ss-audit',
      },
    });
  });

  it('refuses addresses of several databases', () => {
    const { databases } = readConfig({ ...GOOD, DEVICES_DATABASE_URL: url('devices', 'other') });
    expect(() => wanted(databases)).toThrow('several databases: warren, other');
  });
});
