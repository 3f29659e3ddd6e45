import { permissionsOf, SERVICE_NAMES, type ServiceName } from './subjects.ts';

const HEAD = `# Who may do what on the message bus: an account for Warren, and in it a user for each service with the subjects that it needs.
# Made from services/platform/src/nats/subjects.ts by \`make nats-accounts\`; don't change it by hand.
# nats-server takes the passwords from its environment. One that begins with a digit has to be quoted there.
`;

/** The name of the variable that holds a service's password when nats-server starts. */
export function passwordVariable(service: string): string {
  return `NATS_PASSWORD_${service.toUpperCase()}`;
}

/** The accounts as a part of nats-server's configuration. */
export function natsAccounts(): string {
  const users = SERVICE_NAMES.map(userOf).join('\n');
  return `${HEAD}accounts {\n  WARREN {\n    jetstream: enabled\n    users: [\n${users}\n    ]\n  }\n}\n`;
}

function userOf(service: ServiceName): string {
  const { publish, subscribe } = permissionsOf(service);
  const deny = publish.deny.length > 0 ? `\n            deny: ${list(publish.deny)}` : '';
  return `      {
        user: ${service}
        password: $${passwordVariable(service)}
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
