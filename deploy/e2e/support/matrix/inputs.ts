import { randomBytes } from 'node:crypto';
import { accessInputs } from './access.inputs.ts';
import { guestInputs } from './guest.inputs.ts';
import {
  account,
  device,
  domain,
  groupRules,
  idIn,
  nothing,
  ofAccount,
  ofMonth,
  one,
  userId,
  type Maker,
  type Persons,
} from './makers.ts';
import { alertRule, enrolment, mark, rotation, separation, streamBody, tomorrow, webhook } from './bodies.ts';
import { recordingInputs } from './recording.inputs.ts';

const UNKNOWN = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';

/** A right input for every operation. */
export function inputs(persons: Persons): Record<string, Maker> {
  return {
    getWorkspace: nothing,
    getSession: nothing,
    streamEvents: nothing,
    listAccounts: nothing,
    getHome: ofAccount,
    getOverview: ofAccount,
    listDevices: ofAccount,
    listLabels: ofAccount,
    listGroups: ofAccount,
    listGroupNames: ofAccount,
    listUsers: ofAccount,
    exportUsers: ofAccount,
    listInvitations: ofAccount,
    createEnrolmentToken: ofAccount,
    listActivity: ofAccount,
    getDeviceTrend: ofAccount,
    getAccount: (place) => ({ values: { id: place.id } }),
    createAccount: () => ({ values: { name: `Matrix ${mark()}` } }),
    assignOwner: (place, actor, variant) =>
      account({ owner: `boss-${mark()}@matrix.example`, is_new: 'change' }, 'account')(place, actor, variant),
    setAccountStatus: account({ status: 'Active' }),
    deleteAccount: account({}, 'id', true),
    createGroup: (place) => ({ values: { name: `Matrix ${mark()}`, role: 'Member', account: place.id } }),
    getGroup: one('group'),
    deleteGroup: one('group', true),
    getUser: one('user'),
    changeUser: async (place, actor, variant) => ({
      values: { id: await userId(persons, place, actor, variant), status: 'Active' },
    }),
    resetSignIn: async (place, actor, variant) => ({ values: { id: await userId(persons, place, actor, variant) } }),
    deleteUser: async (place, actor, variant) => ({
      values: { id: await userId(persons, place, actor, variant) },
      ...(variant === '' && { spends: 'user' }),
    }),
    sendInvitation: (place) => ({
      values: { emails: [`guest-${mark()}@matrix.example`], groups: ['Members'], account: place.id },
    }),
    resendInvitation: one('invitation'),
    cancelInvitation: async (place) => {
      const { id, email } = await place.thing('invitation');
      return { values: { id, email }, spends: 'invitation' };
    },
    lookUpInvitation: async (place) => ({ values: { ...(await place.thing('link')) } }),
    signUp: async (place) => ({ values: { ...(await place.thing('link')), name: 'Guest' } }),
    acceptInvitation: async (place) => ({ values: { ...(await place.thing('link')) } }),
    updateProfile: nothing,
    listSessions: nothing,
    listMyInvitations: nothing,
    endOtherSessions: nothing,
    // An unknown session.
    endSession: () => ({ values: { id: '3f2a9c0d5b7e41688d1f6a2b9c3e7f10' } }),
    listOwnTokens: nothing,
    createToken: async (place) => {
      await place.withoutTokens('Matrix');
      return { values: { name: `Matrix ${mark()}`, permissions: ['devices.read'], filter: '', days: 1 } };
    },
    // An unknown token.
    revokeOwnToken: () => ({ values: { id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f' } }),
    revokeToken: () => ({ values: { id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f' } }),
    listTokens: ofAccount,
    listScimTokens: (place) => ({ values: { id: place.id } }),
    createScimToken: async (place) => {
      await place.withoutScimTokens();
      return { values: { id: place.id, name: `Matrix ${mark()}`, days: 1 } };
    },
    // An unknown token.
    revokeScimToken: (place) => ({ values: { id: place.id, token: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f' } }),
    listDomains: (place) => ({ values: { id: place.id } }),
    claimDomain: async (place) => {
      await place.withoutDomains();
      return { values: { id: place.id, domain: `${mark()}.matrix.example` } };
    },
    checkDomain: domain,
    confirmDomain: domain,
    removeDomain: domain,
    listGroupRules: (place) => ({ values: { id: place.id } }),
    setGroupRules: groupRules,
    getPicture: (place) => ({ values: { id: persons.withPictureIn(place) } }),
    getDevice: device(),
    getDevicePresence: device(),
    getDeviceMetrics: device(),
    listDeviceEvents: device(),
    getSparklines: async (place) => ({ values: { ids: idIn(await place.thing('device')) } }),
    getDeviceBySerial: async (place) => ({ values: { serial: (await place.thing('device')).serial } }),
    getDeviceByAddress: async (place) => ({ values: { address: (await place.thing('page')).address } }),
    makeWebAddress: async (place) => ({
      values: { id: (await place.thing('page')).id, secret: randomBytes(32).toString('base64url') },
    }),
    getSocketToken: device(),
    getDeviceInfo: device(),
    generateToken: device(),
    revokeEnrolmentToken: async (place) => ({ values: { account: place.id, id: (await place.thing('token')).id } }),
    enrol: async (place) => ({ values: enrolment(place.id, await place.enrolmentToken(), `matrix-${mark()}`) }),
    setDeviceService: device({ service: 'ssh', switch: 'enable' }, true),
    enableDeviceHttp: device({ port: 8080, ipaddr: '127.0.0.1' }, true),
    setDeviceVnc: device({ port: 5901, ipaddr: '127.0.0.1' }, true),
    changeDeviceHostname: device({ custom_name: 'Matrix' }),
    changeDeviceAccount: async (place) => ({
      values: { id: (await place.thing('device')).id, account: place.id },
    }),
    labelDevices: async (place) => ({
      values: { ids: [(await place.thing('device')).id], set: { site: 'matrix' }, remove: [] },
    }),
    setDeviceNotes: device({ notes: 'Behind the door.' }),
    listSavedFilters: ofAccount,
    saveFilter: (place, _actor, variant) => ({
      values: {
        name: mark(),
        filter: 'site=north',
        ...(variant === 'own' ? { scope: 'person' } : { scope: 'account', account: place.id }),
      },
    }),
    replaceFilter: async (place) => ({
      values: { id: await place.thing('filter'), name: mark(), filter: 'site=south' },
    }),
    deleteFilter: one('filter', true),
    listAlerts: ofAccount,
    getAlertCounts: ofAccount,
    getAlertTrend: ofAccount,
    // An unknown alert: it is passed over.
    acknowledgeAlerts: () => ({ values: { ids: ['01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f'], note: 'Seen.' } }),
    listAlertRules: ofAccount,
    createAlertRule: async (place) => {
      await place.withoutAlertRules();
      return { values: alertRule(place.id) };
    },
    changeAlertRule: async (place) => ({ values: { id: await place.thing('rule'), minutes: 20 } }),
    deleteAlertRule: one('rule', true),
    previewAlertRule: (place) => ({ values: { account: place.id, kind: 'condition', condition: 'disk>90' } }),
    listAlertSilences: ofAccount,
    createAlertSilence: (place) => ({
      values: { account: place.id, filter: 'site=north', until: tomorrow(), reason: 'Matrix' },
    }),
    deleteAlertSilence: one('silence', true),
    listChannels: ofAccount,
    createChannel: async (place) => {
      await place.withoutChannels();
      return { values: webhook(place.id) };
    },
    updateChannel: async (place) => ({ values: { id: await place.thing('channel'), minSeverity: 'critical' } }),
    deleteChannel: one('channel', true),
    // A channel takes one test in 10 seconds.
    testChannel: one('channel', true),
    rotateChannelSecret: one('channel'),
    listNotifications: ofAccount,
    // An unknown notification.
    retryNotification: () => ({ values: { id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f' } }),
    rebootDevice: device(),
    rotateDeviceKey: device(),
    replaceDevice: device({ replaces: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f' }),
    decideMachine: device({ serial: 'matrix-other', decision: 'separate' }),
    // Keys of no device.
    rotateKey: async () => ({ values: rotation() }),
    separateMachine: async () => ({ values: separation() }),
    getRoundTrip: device(),
    listTerminals: device(),
    endTerminal: device({ session: '7f6dbf3c-3ac1-4c8e-9c93-5b0f6a1c2d3e' }),
    changeTerminal: device({ session: '7f6dbf3c-3ac1-4c8e-9c93-5b0f6a1c2d3e', name: 'build', pin_days: 3 }),
    deleteDevice: one('device', true),
    // Of a device that is not connected, so the job is done at once.
    startBulkJob: async (place, _actor, variant) => {
      const { id, serial } = await place.thing('device');
      const devices = variant === 'ids' ? { ids: [id] } : { filter: `serial=${serial}`, account: place.id };
      return { values: { action: 'reboot', ...devices } };
    },
    listBulkJobs: nothing,
    getBulkJob: one('job'),
    cancelBulkJob: one('job'),
    listReleases: nothing,
    listAgentVersions: ofAccount,
    listRollouts: nothing,
    // Of an account without devices, so nothing is offered to anyone.
    startRollout: async (place) => ({
      values: { version: await place.thing('version'), account: await place.thing('account'), share: 1 },
      spends: 'account',
    }),
    setRolloutShare: async (place) => ({ values: { id: await place.thing('rollout'), share: 1 } }),
    changeRollout: async (place) => ({
      values: { id: await place.thing('rollout'), change: 'pause' },
      spends: 'rollout',
    }),
    listRolloutDevices: one('rollout'),
    listAuditEvents: ofAccount,
    exportAuditEvents: (place) => ({ values: { account: place.id, format: 'csv' } }),
    // An unknown event.
    getAuditEvent: () => ({ values: { id: UNKNOWN } }),
    listAuditStreams: ofAccount,
    createAuditStream: async (place) => {
      await place.withoutStreams();
      return { values: streamBody(place.id) };
    },
    updateAuditStream: async (place) => ({ values: { id: await place.thing('stream'), name: `Matrix ${mark()}` } }),
    deleteAuditStream: one('stream', true),
    // A stream takes one test in 10 seconds.
    testAuditStream: one('stream', true),
    rotateAuditStreamSecret: one('stream'),
    getAuditRetention: ofAccount,
    // As it is.
    setAuditRetention: (place) => ({ values: { account: place.id, months: null } }),
    ...accessInputs,
    ...guestInputs,
    ...recordingInputs,
    getDeviceAccess: device(),
    getUserAccess: one('user'),
    getQuotas: (place) => ({ values: { id: place.id } }),
    setQuotas: (place) => ({ values: { id: place.id, users: 'default' } }),
    getUpdateWindow: (place) => ({ values: { id: place.id } }),
    // Always: what other calls update does not wait.
    setUpdateWindow: (place) => ({ values: { id: place.id, window: null } }),
    listSignInFailures: (place) => ({ values: { account: place.id } }),
    trySignIn: () => ({ values: { provider: 'default' } }),
    getAccountUsage: (place) => ({ values: { id: place.id, from: '2026-11-01', to: '2026-12-01' } }),
    listUsage: ofMonth,
    exportUsage: ofMonth,
    // A device that it is not for.
    retryRolloutDevice: async (place) => ({
      values: { id: await place.thing('rollout'), device: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f' },
    }),
  };
}
