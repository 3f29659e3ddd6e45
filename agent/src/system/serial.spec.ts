import { describe, expect, it } from '@jest/globals';
import { chooseHardwareSerial, chooseSerial } from './serial.ts';

const none = { deviceTree: '', productSerial: '', boardSerial: '', machineId: '' };
const machineId = '0123456789abcdef0123456789abcdef\n';

describe('chooseSerial', () => {
  it('prefers the board, then the firmware', () => {
    const all = { deviceTree: '10000000abcd\0', productSerial: 'P1\n', boardSerial: 'B1\n', machineId };
    expect(chooseSerial(all)).toBe('10000000abcd');
    expect(chooseSerial({ ...all, deviceTree: '' })).toBe('P1');
    expect(chooseSerial({ ...all, deviceTree: '', productSerial: 'To be filled by O.E.M.' })).toBe('B1');
  });

  it('derives one from the machine-id without revealing it', () => {
    const serial = chooseSerial({ ...none, machineId });
    expect(serial).toMatch(/^[0-9a-f]{32}$/);
    expect(serial).not.toBe(machineId.trim());
    expect(chooseSerial({ ...none, machineId })).toBe(serial);
  });

  it('throws without any', () => {
    expect(() => chooseSerial({ ...none, machineId: 'uninitialized\n' })).toThrow('this device has no serial');
  });
});

describe('chooseHardwareSerial', () => {
  it('is the serial of the board or the firmware', () => {
    expect(chooseHardwareSerial({ ...none, deviceTree: '10000000abcd\0', machineId }, 'other')).toBe('10000000abcd');
    expect(chooseHardwareSerial({ ...none, productSerial: 'P1' }, 'P1')).toBe('P1');
  });

  it('is undefined if only the installation has one, or the device was enrolled with that', () => {
    const installation = chooseSerial({ ...none, machineId });
    expect(chooseHardwareSerial({ ...none, machineId }, 'P1')).toBeUndefined();
    expect(chooseHardwareSerial({ ...none, deviceTree: '10000000abcd', machineId }, installation)).toBeUndefined();
  });
});
