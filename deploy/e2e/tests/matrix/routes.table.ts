/**
 * Where each route of the console leads each person, `own/other` account (one word: the same for both). Specification,
 * section 2 (screens), 4 (session guard), 5 and 6 (route access).
 *
 * open: the screen is shown; home: sent to /; lost: the 404 page; failed: the page says that the device does not exist; login: the
 * identity provider's page; issue: /account_issue; disable: /account_disable; accept: /accept_invitation.
 */
export const routes = `
route                      | superAdmin | operatorAdmin | operatorMember | owner     | admin     | member      | nobody | stranger | disabled | invited
/                          | open       | open          | open           | open      | open      | open        | login  | issue    | disable  | accept
/accounts                  | open       | open          | home           | home      | home      | home        | login  | issue    | disable  | accept
/accounts/{account}        | open       | open          | home           | home      | home      | home        | login  | issue    | disable  | accept
/groups/{account}          | open       | open          | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/groups/{account}/{group}  | open       | open          | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/group/{owners}            | open       | home          | home           | home      | home      | home        | login  | issue    | disable  | accept
/users                     | open       | open          | home           | home      | home      | home        | login  | issue    | disable  | accept
/users/{account}           | open       | open          | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/users/{account}/{user}    | open       | open          | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/devices                   | open       | open          | open           | home      | home      | home        | login  | issue    | disable  | accept
/devices/ALL               | open       | open          | open           | home      | home      | home        | login  | issue    | disable  | accept
/devices/{account}         | open       | open          | open           | open/home | open/home | open/home   | login  | issue    | disable  | accept
/devices/{account}/{device} | open      | open          | open           | open/home | open/home | open/home   | login  | issue    | disable  | accept
/devices/compare/{device}  | open       | open          | open           | open/failed | open/failed | open/failed | login | issue  | disable  | accept
/device/ssh/{device}       | open       | open          | open           | open/failed | open/failed | open/failed | login | issue  | disable  | accept
/device/rdp/{device}       | open       | open          | open           | open/failed | open/failed | open/failed | login | issue  | disable  | accept
/device/web/{address}      | open       | open          | open           | open/lost | open/lost | open/lost   | login  | issue    | disable  | accept
/device/{address}          | open       | open          | open           | open/lost | open/lost | open/lost   | login  | issue    | disable  | accept
/api/webssh/ssh/host/?id={device} | open | open        | open           | open/failed | open/failed | open/failed | login | issue  | disable  | accept
/alerts                    | open       | open          | open           | open      | open      | open        | login  | issue    | disable  | accept
/alerts/rules              | open       | open          | open           | open      | open      | open        | login  | issue    | disable  | accept
/alerts/silences           | open       | open          | open           | open      | open      | open        | login  | issue    | disable  | accept
/alerts/channels           | open       | open          | home           | open      | open      | home        | login  | issue    | disable  | accept
/profile                   | open       | open          | open           | open      | open      | open        | login  | issue    | disable  | accept
/profile/tokens            | open       | open          | open           | open      | open      | open        | login  | issue    | disable  | accept
/tokens/{account}          | open       | open          | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/service-accounts/{account} | open      | open          | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/domains/{account}         | open       | home          | home           | open/home | home      | home        | login  | issue    | disable  | accept
/scim/{account}            | open       | home          | home           | open/home | home      | home        | login  | issue    | disable  | accept
/updates                   | open       | home          | home           | home      | home      | home        | login  | issue    | disable  | accept
/jobs                      | open       | home          | home           | home      | home      | home        | login  | issue    | disable  | accept
/updates/{account}         | open       | open          | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/limits/{account}          | open       | open          | open           | open/home | open/home | home        | login  | issue    | disable  | accept
/usage/{account}           | open       | open          | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/audit                     | open       | open          | home           | open      | open      | home        | login  | issue    | disable  | accept
/audit/{event}             | open       | open          | home           | open      | open      | home        | login  | issue    | disable  | accept
/sessions                  | open       | open          | open           | open      | open      | open        | login  | issue    | disable  | accept
/sessions/{event}          | open       | open          | open           | open      | open      | open        | login  | issue    | disable  | accept
/recording/{account}       | open       | open/home     | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/sign-in-doctor            | open       | open          | home           | open      | open      | home        | login  | issue    | disable  | accept
/access/{account}          | open       | open          | home           | open/home | open/home | home        | login  | issue    | disable  | accept
/requests/{account}        | open       | open          | open           | open/home | open/home | open/home   | login  | issue    | disable  | accept
/settings                  | open       | home          | home           | home      | home      | home        | login  | issue    | disable  | accept
/accept_invitation         | open       | open          | open           | open      | open      | open        | open   | open     | open     | open
/signup-user               | open       | open          | open           | open      | open      | open        | open   | open     | open     | open
/guest/{account}           | open       | open          | open           | open      | open      | open        | open   | open     | open     | open
/no/such/page              | lost       | lost          | lost           | lost      | lost      | lost        | lost   | lost     | lost     | lost
`;

/** What tells that a screen is there: the page's title; in a text, what is in braces is the name of the thing that is shown. */
export const titles: Record<string, RegExp | string> = {
  '/': /^Home/,
  '/accounts': /^Accounts Directory/,
  '/accounts/{account}': '{accountName}',
  '/groups/{account}': /Groups/,
  '/groups/{account}/{group}': '{groupName}',
  '/group/{owners}': 'Account Owners',
  '/users': /^Users directory/,
  '/users/{account}': /Users/,
  '/users/{account}/{user}': '{userName}',
  '/devices': /Devices/,
  '/devices/ALL': /Devices/,
  '/devices/{account}': /Devices/,
  '/devices/{account}/{device}': /^matrix/i,
  '/devices/compare/{device}': 'Compare devices',
  '/device/ssh/{device}': /^matrix/i,
  '/device/rdp/{device}': /^matrix/i,
  '/device/web/{address}': /^matrix/i,
  '/device/{address}': /^matrix/i,
  '/api/webssh/ssh/host/?id={device}': /^matrix.* · Terminal$/i,
  '/alerts': /^Alerts/,
  '/alerts/rules': /^Alert rules/,
  '/alerts/silences': /^Silences/,
  '/alerts/channels': /^Notification channels/,
  '/profile': /^Edit Profile/,
  '/profile/tokens': /^API tokens/,
  '/tokens/{account}': /^API tokens/,
  '/service-accounts/{account}': /^Service accounts/,
  '/domains/{account}': /^Domains/,
  '/scim/{account}': /^Provisioning/,
  '/updates': /^Updates/,
  '/jobs': /^Bulk jobs/,
  '/updates/{account}': /^Update window/,
  '/limits/{account}': /^Limits/,
  '/usage/{account}': /^Usage/,
  '/audit': /^Audit trail/,
  '/audit/{event}': /^There is no such event/,
  '/sessions': /^Recordings/,
  '/sessions/{event}': /^There is no such recording/,
  '/recording/{account}': /^Session recording/,
  '/sign-in-doctor': /^Sign-in doctor/,
  '/access/{account}': /^Access/,
  '/requests/{account}': /^Requests/,
  '/settings': /^Settings/,
  '/accept_invitation': /^Invitation/,
  '/signup-user': /^Sign up/,
  '/guest/{account}': /^Guest access/,
};
