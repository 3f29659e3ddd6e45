/**
 * Who may do what: the status that each operation answers each person, `own/other` account (one number: the same for both).
 * Specification section 6 and the decisions ('People and access'). An operation that the hub describes and this table does not
 * name fails the test, and the other way round.
 *
 * Own account: for people of the operator the operator's account. Other account: any that is not. `nobody` has no session,
 * `stranger` one without account, `disabled` is a disabled user, `invited` has not accepted yet. After a colon: on whom.
 */
export const table = `
operation            | superAdmin | operatorAdmin | operatorMember | owner   | admin   | member  | nobody | stranger | disabled | invited
getSession           | 200        | 200           | 200            | 200     | 200     | 200     | 401    | 200      | 200      | 200
getWorkspace         | 200        | 200           | 200            | 200     | 200     | 200     | 401    | 403      | 403      | 403
streamEvents         | 200        | 200           | 200            | 200     | 200     | 200     | 401    | 403      | 403      | 403
getHome              | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403

listActivity         | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
getDeviceTrend       | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403

listAccounts         | 200        | 200           | 200            | 403     | 403     | 403     | 401    | 403      | 403      | 403
getAccount           | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
createAccount        | 201        | 403           | 403            | 403     | 403     | 403     | 401    | 403      | 403      | 403
assignOwner          | 409/200    | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
setAccountStatus     | 409/200    | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
deleteAccount        | 409/200    | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403

listGroups           | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
listGroupNames       | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
getGroup             | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
createGroup          | 201        | 201           | 403            | 201/404 | 201/404 | 403/404 | 401    | 403      | 403      | 403
deleteGroup          | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403

listUsers            | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
exportUsers          | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
getUser              | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
changeUser           | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
changeUser:owner     | 409/200    | 403           | 403            | 409/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
changeUser:self      | 409        | 409           | 403            | 409     | 409     | 403     | 401    | 403      | 403      | 403
deleteUser           | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
deleteUser:self      | 409        | 409           | 403            | 409     | 409     | 403     | 401    | 403      | 403      | 403

listInvitations      | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
sendInvitation       | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
resendInvitation     | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
cancelInvitation     | 200        | 200           | 403            | 200/404 | 200/404 | 403/404 | 401    | 403      | 403      | 403
lookUpInvitation     | 200        | 200           | 200            | 200     | 200     | 200     | 200    | 200      | 200      | 200
signUp               | 200        | 200           | 200            | 200     | 200     | 200     | 200    | 200      | 200      | 200
acceptInvitation     | 403        | 403           | 403            | 403     | 403     | 403     | 401    | 403      | 403      | 403

updateProfile        | 200        | 200           | 200            | 200     | 200     | 200     | 401    | 403      | 403      | 403
getPicture           | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403

listDevices          | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
getDevice            | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
getDevicePresence    | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
getDeviceBySerial    | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
getDeviceByAddress   | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
makeWebAddress       | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
getSocketToken       | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
getDeviceInfo        | 200        | 200           | 200            | 200/404 | 200/404 | 200/404 | 401    | 403      | 403      | 403
generateToken        | 200        | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
setDeviceService     | 200        | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
enableDeviceHttp     | 200        | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
setDeviceVnc         | 200        | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
changeDeviceHostname | 200        | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
changeDeviceAccount  | 200        | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
rebootDevice         | 503        | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
getRoundTrip         | 503        | 503           | 503            | 503/404 | 503/404 | 503/404 | 401    | 403      | 403      | 403
listTerminals        | 503        | 503           | 503            | 503/404 | 503/404 | 503/404 | 401    | 403      | 403      | 403
endTerminal          | 503        | 503           | 503            | 503/404 | 503/404 | 503/404 | 401    | 403      | 403      | 403
deleteDevice         | 200        | 403           | 403            | 403/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403

createEnrolmentToken | 201        | 403           | 403            | 201/404 | 403/404 | 403/404 | 401    | 403      | 403      | 403
enrol                | 201        | 201           | 201            | 201     | 201     | 201     | 201    | 201      | 201      | 201
`;
