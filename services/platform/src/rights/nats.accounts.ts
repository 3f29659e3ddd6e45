import { OBSERVER, SERVICE_NAMES } from '../nats/calls.ts';
import { observerPermissions, permissionsOf, type Permissions } from './nats.rights.ts';

const HEAD = `# Who may do what on the message bus: an account for Warren, and in it a user for each service with the subjects that it needs.
# Made from services/platform/src/rights/nats.rights.ts by \`make nats-accounts\`; don't change it by hand.
# nats-server takes the passwords from its environment. One that begins with a digit has to be quoted there.
`;

/** All users of the bus. */
export const BUS_USERS = [...SERVICE_NAMES, OBSERVER] as const;

/** The name of the variable that holds a user's password when nats-server starts. */
export function passwordVariable(user: string): string {
  return `NATS_PASSWORD_${user.toUpperCase()}`;
}

/** The accounts as a part of nats-server's configuration. */
export function natsAccounts(): string {
  const services = SERVICE_NAMES.map((name) => userOf(name, permissionsOf(name)));
  const users = [...services, userOf(OBSERVER, observerPermissions())].join('\n');
  return `${HEAD}accounts {\n  WARREN {\n    jetstream: enabled\n    users: [\n${users}\n    ]\n  }\n}\n`;
}

function userOf(user: string, { publish, subscribe }: Permissions): string {
  const deny = publish.deny.length > 0 ? `\n            deny: ${list(publish.deny)}` : '';
  return `      {
        user: ${user}
        password: $${passwordVariable(user)}
        permissions {
          publish {
            allow: ${list(publish.allow)}${deny}
          }
          subscribe {
            allow: ${list(subscribe)}
          }
          # One answer to each call that came.
          allow_responses: { max: 1, expires: "1m" }
        }
      }`;
}

function list(subjects: string[]): string {
  if (subjects.length === 0) return '[]';
  return `[\n${subjects.map((subject) => `              "${subject}"`).join('\n')}\n            ]`;
}
