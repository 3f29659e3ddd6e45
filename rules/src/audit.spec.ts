import { describe, expect, it } from '@jest/globals';
import { AUDIT_ACTION_NAMES, AUDIT_TARGETS, isAuditAction } from './audit.ts';

describe('the actions of audit events', () => {
  it('have names of a group and a verb, each once', () => {
    expect(AUDIT_ACTION_NAMES.filter((name) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
    expect(new Set(AUDIT_ACTION_NAMES).size).toBe(AUDIT_ACTION_NAMES.length);
    expect(new Set(AUDIT_TARGETS).size).toBe(AUDIT_TARGETS.length);
  });

  it('are distinguished from other texts', () => {
    expect(isAuditAction('device.reboot')).toBe(true);
    expect(isAuditAction('device.explode')).toBe(false);
  });
});
