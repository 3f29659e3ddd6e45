/**
 * What the audit trail says of each operation: its action, or `none:` with the reason. An operation that the hub describes and this table
 * does not name fails the test, and the other way round. `no:` says why the matrix can't bring the action about.
 */
export const auditTable = `
operation            | action
getSession           | none: it reads
getWorkspace         | none: it reads
streamEvents         | none: it reads
getHome              | none: it reads
getOverview          | none: it reads
listActivity         | none: it reads
getDeviceTrend       | none: it reads
listAccounts         | none: it reads
getAccount           | none: it reads
createAccount        | account.create
assignOwner          | account.assign_owner
setAccountStatus     | account.disable
deleteAccount        | account.delete
getQuotas            | none: it reads
setQuotas            | account.set_quotas
listGroups           | none: it reads
listGroupNames       | none: it reads
getGroup             | none: it reads
createGroup          | group.create
deleteGroup          | group.delete
listUsers            | none: it reads
exportUsers          | none: it reads
getUser              | none: it reads
changeUser           | user.disable
resetSignIn          | user.reset_sign_in
deleteUser           | user.delete
listInvitations      | none: it reads
sendInvitation       | invitation.send
resendInvitation     | invitation.resend
cancelInvitation     | invitation.cancel
listMyInvitations    | none: it reads
lookUpInvitation     | none: it reads
signUp               | invitation.sign_up
acceptInvitation     | invitation.accept | no: the invited person signs in; acceptance.int.spec holds it
updateProfile        | user.change_profile
listSessions         | none: it reads
endSession           | session.end | no: the session of the input is unknown
endOtherSessions     | session.end | no: the person has one session
getPicture           | none: it reads
listDevices          | none: it reads
getDevice            | none: it reads
getDevicePresence    | none: it reads
getDeviceMetrics     | none: it reads
listDeviceEvents     | none: it reads
getSparklines        | none: it reads
getDeviceBySerial    | none: it reads
getDeviceByAddress   | none: it reads
makeWebAddress       | socket_token.issue
getSocketToken       | socket_token.issue
getDeviceInfo        | none: it reads
listLabels           | none: it reads
labelDevices         | device.label
setDeviceNotes       | device.set_notes
listSavedFilters     | none: it reads
saveFilter           | filter.save
saveFilter:own       | filter.save
replaceFilter        | filter.change
deleteFilter         | filter.delete
listAlerts           | none: it reads
getAlertCounts       | none: it reads
getAlertTrend        | none: it reads
acknowledgeAlerts    | alert.acknowledge | no: the alert of the input is unknown
listAlertRules       | none: it reads
createAlertRule      | alert_rule.create
changeAlertRule      | alert_rule.change
deleteAlertRule      | alert_rule.delete
previewAlertRule     | none: it changes nothing
listAlertSilences    | none: it reads
createAlertSilence   | alert_silence.create
deleteAlertSilence   | alert_silence.delete
listChannels         | none: it reads
createChannel        | channel.create
updateChannel        | channel.change
deleteChannel        | channel.delete
testChannel          | channel.test
rotateChannelSecret  | channel.rotate_secret
listNotifications    | none: it reads
retryNotification    | notification.retry | no: the notification of the input is unknown
generateToken        | socket_token.issue
setDeviceService     | device.set_service
enableDeviceHttp     | device.enable_http
setDeviceVnc         | device.set_vnc
changeDeviceHostname | device.rename
changeDeviceAccount  | device.move
rebootDevice         | device.reboot | no: the device is not connected
replaceDevice        | device.replace | no: the other device of the input is unknown
decideMachine        | device.decide_machine | no: no machine waits
rotateDeviceKey      | device.rotate_key | no: the device is not connected
getRoundTrip         | none: it reads
listTerminals        | none: it reads
endTerminal          | terminal.end | no: the device is not connected
changeTerminal       | terminal.rename | no: the device is not connected
deleteDevice         | device.delete
startBulkJob         | bulk_job.start
startBulkJob:ids     | bulk_job.start
listBulkJobs         | none: it reads
getBulkJob           | none: it reads
cancelBulkJob        | bulk_job.cancel | no: the job is over
listReleases         | none: it reads
listAgentVersions    | none: it reads
listRollouts         | none: it reads
startRollout         | rollout.start
setRolloutShare      | rollout.set_share
changeRollout        | rollout.change
listRolloutDevices   | none: it reads
retryRolloutDevice   | rollout.retry_device | no: the device of the input is unknown
getUpdateWindow      | none: it reads
setUpdateWindow      | update_window.change
getAccountUsage      | none: it reads
listUsage            | none: it reads
exportUsage          | none: it reads
createEnrolmentToken | enrolment_token.create
revokeEnrolmentToken | enrolment_token.revoke
enrol                | device.enrol
rotateKey            | device.replace_key | no: the keys of the input are no device's
separateMachine      | device.separate_machine | no: the keys of the input are no device's
listAuditEvents      | none: it reads
getAuditEvent        | none: it reads
exportAuditEvents    | audit.export
listAuditStreams     | none: it reads
createAuditStream    | audit_stream.create
updateAuditStream    | audit_stream.change
deleteAuditStream    | audit_stream.delete
testAuditStream      | audit_stream.test
rotateAuditStreamSecret | audit_stream.rotate_secret
getAuditRetention    | none: it reads
setAuditRetention    | audit.set_retention
listRecordings       | none: it reads
searchRecordings     | recording.search
getRecording         | none: it reads
listRecordingChunks  | none: it reads
getRecordingChunk    | recording.view
getRecordingSnapshot | none: it reads
exportRecording      | recording.export
holdRecording        | recording.hold
deleteRecording      | recording.delete
getRecordingSettings | none: it reads
setRecordingSettings | recording.set_policy
listSignInFailures   | none: it reads
trySignIn            | session.try_sign_in
getAccess            | none: it reads
setAccessMode        | account.set_access_mode | no: the input leaves the mode as it is
previewAccess        | none: it reads
listGrants           | none: it reads
createGrant          | grant.create
updateGrant          | grant.change
deleteGrant          | grant.withdraw
getAccessRules       | none: it reads
setAccessRules       | account.set_access_rules
listAccessRequests   | none: it reads
createAccessRequest  | access_request.create | no: people of the account ask; access-requests.int.spec holds it
approveAccessRequest | access_request.approve | no: people of the account decide; access-requests.int.spec holds it
denyAccessRequest    | access_request.deny | no: people of the account decide; access-requests.int.spec holds it
withdrawAccessRequest | access_request.withdraw | no: it is of another person; access-requests.int.spec holds it
listServiceAccounts  | none: it reads
createServiceAccount | service_account.create
updateServiceAccount | service_account.disable
createServiceAccountToken | token.create
deleteServiceAccount | service_account.delete
getDeviceAccess      | none: it reads
getUserAccess        | none: it reads
listTokens           | none: it reads
revokeToken          | token.revoke | no: the token of the input is unknown
createToken          | token.create
listOwnTokens        | none: it reads
revokeOwnToken       | token.revoke | no: the token of the input is unknown
listGuestLinks       | none: it reads
createGuestLink      | guest_link.create | no: people make them for their account; guest-links.int.spec holds it
endGuestLink         | guest_link.end
lookUpGuestLink      | none: it reads
redeemGuestLink      | guest_link.redeem | no: a guest does; guest-links.int.spec holds it
getGuestSession      | none: it reads
makeGuestSocketToken | socket_token.issue | no: it needs a guest; guests.spec holds it
makeGuestWebAddress  | socket_token.issue | no: it needs a guest; guest-web.spec holds it
listScimTokens       | none: it reads
createScimToken      | token.create
revokeScimToken      | token.revoke | no: the token of the input is unknown
listDomains          | none: it reads
claimDomain          | domain.claim
checkDomain          | none: the record of the input is not published
confirmDomain        | domain.verify
removeDomain         | domain.remove
listGroupRules       | none: it reads
setGroupRules        | group_rule.create
`;
