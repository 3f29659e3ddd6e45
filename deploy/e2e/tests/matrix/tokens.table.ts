/** The API tokens of the table: whose they are, and what they may do. */
export const tokens = {
  /** All that a SuperAdmin may. */
  full: { who: 'superAdmin', permissions: undefined, filter: '' },
  read: { who: 'superAdmin', permissions: ['devices.read'], filter: '' },
  /** For devices of which there are none. */
  some: { who: 'superAdmin', permissions: ['devices.open'], filter: 'serial=matrix-none' },
  /** All that a Member may. */
  member: { who: 'member', permissions: undefined, filter: '' },
} as const;
export type TokenName = keyof typeof tokens;

/**
 * What each operation answers an API token: of a SuperAdmin on an account of others, of a Member on the own account. Operations that are
 * not for tokens answer 403; those without a session look at no token.
 */
export const table = `
operation            | full   | read   | some   | member
getSession           | 200    | 200    | 200    | 200
getWorkspace         | 200    | 200    | 200    | 200
streamEvents         | 200    | 200    | 403    | 200
getHome              | 200    | 200    | 200    | 200
getOverview          | 200    | 200    | 200    | 200
listActivity         | 200    | 200    | 403    | 200
getDeviceTrend       | 200    | 200    | 403    | 200
listAccounts         | 200    | 403    | 403    | 403
getAccount           | 200    | 403    | 403    | 200
createAccount        | 201    | 403    | 403    | 403
assignOwner          | 200    | 403    | 403    | 403
setAccountStatus     | 200    | 403    | 403    | 403
deleteAccount        | 200    | 403    | 403    | 403
getQuotas            | 200    | 403    | 403    | 403
setQuotas            | 200    | 403    | 403    | 403
listGroups           | 200    | 403    | 403    | 403
listGroupNames       | 200    | 403    | 403    | 403
getGroup             | 200    | 403    | 403    | 403
createGroup          | 201    | 403    | 403    | 403
deleteGroup          | 200    | 403    | 403    | 403
listUsers            | 200    | 403    | 403    | 403
exportUsers          | 200    | 403    | 403    | 403
getUser              | 200    | 403    | 403    | 403
changeUser           | 200    | 403    | 403    | 403
resetSignIn          | 200    | 403    | 403    | 403
deleteUser           | 200    | 403    | 403    | 403
listInvitations      | 200    | 403    | 403    | 403
sendInvitation       | 200    | 403    | 403    | 403
resendInvitation     | 200    | 403    | 403    | 403
cancelInvitation     | 200    | 403    | 403    | 403
listMyInvitations    | 403    | 403    | 403    | 403
lookUpInvitation     | 200    | 200    | 200    | 200
signUp               | 200    | 200    | 200    | 200
acceptInvitation     | 403    | 403    | 403    | 403
updateProfile        | 200    | 403    | 403    | 200
listSessions         | 403    | 403    | 403    | 403
endSession           | 403    | 403    | 403    | 403
endOtherSessions     | 403    | 403    | 403    | 403
listOwnTokens        | 403    | 403    | 403    | 403
createToken          | 403    | 403    | 403    | 403
revokeOwnToken       | 403    | 403    | 403    | 403
listTokens           | 200    | 403    | 403    | 403
revokeToken          | 404    | 403    | 403    | 403
getPicture           | 200    | 403    | 403    | 200
listDevices          | 200    | 200    | 200    | 200
getDevice            | 200    | 200    | 404    | 200
getDevicePresence    | 200    | 200    | 404    | 200
getDeviceMetrics     | 200    | 200    | 404    | 200
listDeviceEvents     | 200    | 200    | 404    | 200
getSparklines        | 200    | 200    | 403    | 200
getDeviceBySerial    | 200    | 200    | 404    | 200
getDeviceByAddress   | 200    | 200    | 404    | 200
makeWebAddress       | 200    | 403    | 404    | 200
getSocketToken       | 200    | 403    | 404    | 200
getDeviceInfo        | 200    | 403    | 404    | 200
listLabels           | 200    | 200    | 403    | 200
labelDevices         | 200    | 403    | 403    | 403
setDeviceNotes       | 200    | 403    | 403    | 403
listSavedFilters     | 200    | 200    | 403    | 200
saveFilter           | 201    | 403    | 403    | 403
replaceFilter        | 200    | 403    | 403    | 403
deleteFilter         | 200    | 403    | 403    | 403
listAlerts           | 200    | 200    | 403    | 200
getAlertCounts       | 200    | 200    | 403    | 200
acknowledgeAlerts    | 200    | 403    | 403    | 403
listAlertRules       | 200    | 200    | 403    | 200
createAlertRule      | 201    | 403    | 403    | 403
changeAlertRule      | 200    | 403    | 403    | 403
deleteAlertRule      | 200    | 403    | 403    | 403
previewAlertRule     | 200    | 200    | 403    | 200
listAlertSilences    | 200    | 200    | 403    | 200
createAlertSilence   | 201    | 403    | 403    | 403
deleteAlertSilence   | 200    | 403    | 403    | 403
listChannels         | 200    | 403    | 403    | 403
createChannel        | 201    | 403    | 403    | 403
updateChannel        | 200    | 403    | 403    | 403
deleteChannel        | 200    | 403    | 403    | 403
testChannel          | 200    | 403    | 403    | 403
rotateChannelSecret  | 200    | 403    | 403    | 403
listNotifications    | 200    | 403    | 403    | 403
retryNotification    | 404    | 403    | 403    | 403
generateToken        | 200    | 403    | 404    | 403
setDeviceService     | 200    | 403    | 403    | 403
enableDeviceHttp     | 200    | 403    | 403    | 403
setDeviceVnc         | 200    | 403    | 403    | 403
changeDeviceHostname | 200    | 403    | 403    | 403
changeDeviceAccount  | 200    | 403    | 403    | 403
rebootDevice         | 503    | 403    | 403    | 403
replaceDevice        | 404    | 403    | 403    | 403
decideMachine        | 404    | 403    | 403    | 403
rotateDeviceKey      | 503    | 403    | 403    | 403
getRoundTrip         | 503    | 403    | 404    | 503
listTerminals        | 503    | 403    | 404    | 503
endTerminal          | 503    | 403    | 404    | 503
deleteDevice         | 200    | 403    | 403    | 403
startBulkJob         | 201    | 403    | 403    | 403
listBulkJobs         | 200    | 200    | 403    | 200
getBulkJob           | 200    | 200    | 403    | 404
cancelBulkJob        | 409    | 403    | 403    | 404
listReleases         | 200    | 403    | 403    | 403
listAgentVersions    | 200    | 403    | 403    | 403
listRollouts         | 200    | 403    | 403    | 403
startRollout         | 201    | 403    | 403    | 403
setRolloutShare      | 200    | 403    | 403    | 403
changeRollout        | 200    | 403    | 403    | 403
listRolloutDevices   | 200    | 403    | 403    | 403
retryRolloutDevice   | 404    | 403    | 403    | 403
getUpdateWindow      | 200    | 403    | 403    | 200
setUpdateWindow      | 200    | 403    | 403    | 403
getAccountUsage      | 200    | 403    | 403    | 403
listUsage            | 200    | 403    | 403    | 403
exportUsage          | 200    | 403    | 403    | 403
createEnrolmentToken | 201    | 403    | 403    | 403
revokeEnrolmentToken | 200    | 403    | 403    | 403
enrol                | 201    | 201    | 201    | 201
rotateKey            | 404    | 404    | 404    | 404
separateMachine      | 404    | 404    | 404    | 404
`;
