/**
 * What each operation on a device answers a Member of an account with explicit grants only, by the one permission that a grant gives for the device:
 * docs/access.md. `elsewhere`: all of them, for other devices. `other`: all of them, on a device of another account. A bulk job of ids is there, and
 * says of such a device that it is not found. Operations that look at no grant are in the table of operations.
 */
export const table = `
operation              | none | elsewhere | other | view | terminal | desktop | web | manage
getDevice              | 404  | 404       | 404   | 200  | 200      | 200     | 200 | 200
getDevicePresence      | 404  | 404       | 404   | 200  | 200      | 200     | 200 | 200
getDeviceMetrics       | 404  | 404       | 404   | 200  | 200      | 200     | 200 | 200
listDeviceEvents       | 404  | 404       | 404   | 200  | 200      | 200     | 200 | 200
getDeviceBySerial      | 404  | 404       | 404   | 200  | 200      | 200     | 200 | 200
getDeviceByAddress     | 404  | 404       | 404   | 200  | 200      | 200     | 200 | 200
makeWebAddress         | 404  | 404       | 404   | 403  | 403      | 403     | 200 | 403
getSocketToken         | 404  | 404       | 404   | 403  | 200      | 403     | 403 | 403
getSocketToken:desktop | 404  | 404       | 404   | 403  | 403      | 200     | 403 | 403
getSocketToken:logs    | 404  | 404       | 404   | 403  | 200      | 403     | 403 | 403
getDeviceInfo          | 404  | 404       | 404   | 200  | 200      | 200     | 200 | 200
getRoundTrip           | 404  | 404       | 404   | 503  | 503      | 503     | 503 | 503
listTerminals          | 404  | 404       | 404   | 403  | 503      | 403     | 403 | 403
endTerminal            | 404  | 404       | 404   | 403  | 503      | 403     | 403 | 403
changeTerminal         | 404  | 404       | 404   | 403  | 503      | 403     | 403 | 403
listGuestLinks         | 404  | 404       | 404   | 200  | 200      | 200     | 200 | 200
createGuestLink        | 404  | 404       | 404   | 403  | 201      | 403     | 403 | 403
rebootDevice           | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 503
startBulkJob           | 403  | 400       | 404   | 403  | 403      | 403     | 403 | 201
startBulkJob:ids       | 403  | 201       | 201   | 403  | 403      | 403     | 403 | 201
rotateDeviceKey        | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
setDeviceService       | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
enableDeviceHttp       | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
setDeviceVnc           | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
changeDeviceHostname   | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
changeDeviceAccount    | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
deleteDevice           | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
labelDevices           | 403  | 403       | 403   | 403  | 403      | 403     | 403 | 403
generateToken          | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
replaceDevice          | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
decideMachine          | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
setDeviceNotes         | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
getDeviceAccess        | 404  | 404       | 404   | 403  | 403      | 403     | 403 | 403
`;
