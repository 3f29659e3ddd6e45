/**
 * What operations answer the cookie of a guest, about the device and account of the link, and about another account (`own/other`). A guest
 * is nobody everywhere else: operations that this table does not name answer 401, and those for nobody as they do for nobody.
 * `web`: a guest of a web service, where that differs from one of a terminal.
 */
export const guestTable = `
operation            | guest   | web
getGuestSession      | 200
makeGuestSocketToken | 200     | 403
makeGuestWebAddress  | 403     | 200
lookUpGuestLink      | 200
getSession           | 401
getWorkspace         | 401
streamEvents         | 401
getHome              | 401
getOverview          | 401
listDevices          | 401/401
getDevice            | 401/401
getDevicePresence    | 401/401
getDeviceMetrics     | 401/401
listDeviceEvents     | 401/401
getDeviceAccess      | 401/401
getSocketToken       | 401/401
generateToken        | 401/401
getDeviceInfo        | 401/401
makeWebAddress       | 401/401
listTerminals        | 401/401
endTerminal          | 401/401
changeTerminal       | 401/401
getRoundTrip         | 401/401
setDeviceService     | 401/401
enableDeviceHttp     | 401/401
setDeviceVnc         | 401/401
rebootDevice         | 401/401
rotateDeviceKey      | 401/401
deleteDevice         | 401/401
setDeviceNotes       | 401/401
labelDevices         | 401/401
startBulkJob         | 401/401
listGuestLinks       | 401/401
createGuestLink      | 401/401
endGuestLink         | 401/401
listUsers            | 401/401
createGrant          | 401/401
setAccessRules       | 401/401
createToken          | 401
listOwnTokens        | 401
listSessions         | 401
updateProfile        | 401
listAuditEvents      | 401/401
listRecordings       | 401/401
searchRecordings     | 401/401
setRecordingSettings | 401/401
createAccount        | 401
`;
