import { mark } from './bodies.ts';
import type { Place } from './place.ts';

type Values = Record<string, unknown>;

/**
 * What makes the input of an operation change something: of the usual inputs some ask for what is so already, which is no event. By row of
 * the table.
 */
export const effective: Readonly<Record<string, (place: Place) => Values | Promise<Values>>> = {
  setAccountStatus: async (place) => ({ id: await place.thing('account'), status: 'Inactive' }),
  deleteAccount: async (place) => ({ id: await place.thing('account') }),
  setQuotas: async (place) => ({ id: await place.thing('account'), users: 41 }),
  setAccessRules: () => ({ longest_minutes: 45 }),
  assignOwner: async (place) => ({ account: await place.thing('account') }),
  changeUser: () => ({ status: 'Inactive' }),
  updateProfile: () => ({ name: `Matrix ${mark()}` }),
  labelDevices: () => ({ set: { matrix: mark() } }),
  setDeviceNotes: () => ({ notes: mark() }),
  changeAlertRule: () => ({ minutes: 23 }),
  setDeviceService: () => ({ switch: 'disable' }),
  setDeviceVnc: () => ({ port: 5_987 }),
  getSocketToken: async (place) => ({ id: await place.linkedDevice() }),
  changeDeviceHostname: () => ({ custom_name: `Matrix ${mark()}` }),
  changeDeviceAccount: async (place) => ({ account: await place.thing('account') }),
  setAuditRetention: () => ({ months: 12 + Math.floor(Math.random() * 100) }),
  setRecordingSettings: () => ({ days: 12 + Math.floor(Math.random() * 100) }),
  holdRecording: () => ({ held: true, reason: 'Matrix' }),
  setRolloutShare: () => ({ share: 2 }),
  setUpdateWindow: async (place) => ({
    id: await place.thing('account'),
    window: { days: ['mon'], from: '01:00', to: '02:00', time_zone: 'UTC' },
  }),
};
