import type { DescService } from '@bufbuild/protobuf';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { RolloutsService } from '@warren/proto/devices/v1/rollouts';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { InvitationsService } from '@warren/proto/tenancy/v1/invitations';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { UsersService } from '@warren/proto/tenancy/v1/users';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { EVENT_STREAM, EVENT_SUBJECTS, subjectOfKind, type EventKind } from '../events/event.ts';
import { subjectPrefix } from '../rpc/wire.ts';

export const SERVICE_NAMES = ['gateway', 'identity', 'tenancy', 'devices', 'tunnels'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** What a service does on the message bus. */
interface Traffic {
  /** Proto services that it answers. */
  serves: readonly DescService[];
  /** Proto services that it calls. */
  calls: readonly DescService[];
  /** How it reads events: by its durable place in the stream, each from now on in each replica, or as they pass. */
  reads: readonly ('durably' | 'following' | 'passing')[];
}

/** Who does what on the bus, which refuses everything else. A service gets clients of those that it calls, and of no others. */
export const TRAFFIC: Readonly<Record<ServiceName, Traffic>> = {
  gateway: {
    serves: [],
    calls: [
      IdentityService,
      TenancyService,
      InvitationsService,
      UsersService,
      DevicesService,
      RolloutsService,
      TunnelsService,
    ],
    reads: ['passing'],
  },
  identity: { serves: [IdentityService], calls: [], reads: ['durably'] },
  tenancy: { serves: [TenancyService, InvitationsService, UsersService], calls: [], reads: [] },
  devices: { serves: [DevicesService, RolloutsService], calls: [TenancyService, TunnelsService], reads: ['durably'] },
  tunnels: {
    serves: [TunnelsService],
    calls: [DevicesService, IdentityService, TenancyService, TunnelsService],
    reads: ['following'],
  },
};

/** Which service tells of what. */
export const TELLERS: Readonly<Record<EventKind, ServiceName>> = {
  deviceChanged: 'devices',
  deviceDeleted: 'devices',
  devicesChanged: 'devices',
  linksChanged: 'tunnels',
  deviceCloned: 'tunnels',
  rolloutChanged: 'devices',
  accountChanged: 'tenancy',
  accountDeleted: 'tenancy',
  userChanged: 'tenancy',
  userDeleted: 'tenancy',
  groupChanged: 'tenancy',
  groupDeleted: 'tenancy',
  invitationChanged: 'tenancy',
  invitationDeleted: 'tenancy',
};

/** Subjects that a service may publish to and listen on, as patterns of NATS. Answers to calls are besides. */
export interface Permissions {
  publish: { allow: string[]; deny: string[] };
  subscribe: string[];
}

/** The proto services of which a process gets clients; none for one that is not of Warren. */
export function callsOf(name: string): readonly DescService[] {
  return SERVICE_NAMES.find((known) => known === name) ? TRAFFIC[name as ServiceName].calls : [];
}

/** Where the answers to a service's calls come in. */
export function inboxOf(service: string): string {
  return `_INBOX_${service}`;
}

/** All that a service may do on the bus. */
export function permissionsOf(service: ServiceName): Permissions {
  const { serves, calls, reads } = TRAFFIC[service];
  const told = kindsOf(service).map(subjectOfKind);
  const touchesStream = told.length > 0 || reads.some((how) => how !== 'passing');
  return {
    publish: {
      allow: [
        ...calls.map((called) => `${subjectPrefix(called)}.>`),
        ...told,
        ...(touchesStream
          ? ['$JS.API.INFO', ...['CREATE', 'INFO'].map((verb) => `$JS.API.STREAM.${verb}.${EVENT_STREAM}`)]
          : []),
        ...(reads.includes('durably') ? [...consumerApi(service), `$JS.ACK.${EVENT_STREAM}.${service}.>`] : []),
        ...(reads.includes('following') ? [...consumerApi('*'), `$JS.API.CONSUMER.DELETE.${EVENT_STREAM}.*`] : []),
      ],
      deny: reads.includes('following') ? othersConsumers(service) : [],
    },
    subscribe: [
      `${inboxOf(service)}.>`,
      ...serves.map((served) => `${subjectPrefix(served)}.>`),
      ...(serves.length > 0 ? discovery(service) : []),
      ...(reads.includes('passing') ? [EVENT_SUBJECTS] : []),
    ],
  };
}

/** Who looks at a running installation, and changes nothing: the doctor. */
export const OBSERVER = 'doctor';

/** What it takes to see that the stream is kept, and that each service answers. */
export function observerPermissions(): Permissions {
  return {
    publish: { allow: ['$SRV.PING', '$JS.API.INFO', '$JS.API.STREAM.INFO.*'], deny: [] },
    subscribe: [`${inboxOf(OBSERVER)}.>`],
  };
}

function kindsOf(service: ServiceName): EventKind[] {
  return (Object.keys(TELLERS) as EventKind[]).filter((kind) => TELLERS[kind] === service);
}

/** Making, asking about and reading a consumer; `MSG.NEXT` pulls from it (NATS, JetStream API reference). */
function consumerApi(consumer: string): string[] {
  const of = `${EVENT_STREAM}.${consumer}`;
  const made = ['CREATE', 'DURABLE.CREATE', 'INFO', 'MSG.NEXT'].map((verb) => `$JS.API.CONSUMER.${verb}.${of}`);
  return [...made, `$JS.API.CONSUMER.CREATE.${of}.>`];
}

/** A service whose consumers have names that the library makes keeps its hands off those that have a name of ours. */
function othersConsumers(service: ServiceName): string[] {
  const durable = SERVICE_NAMES.filter((name) => name !== service && TRAFFIC[name].reads.includes('durably'));
  return durable.flatMap((name) => [...consumerApi(name), `$JS.API.CONSUMER.DELETE.${EVENT_STREAM}.${name}`]);
}

/** The requests that find services and ask how they are (NATS, micro services: ADR-32). */
function discovery(service: ServiceName): string[] {
  return ['PING', 'INFO', 'STATS'].flatMap((verb) => [
    `$SRV.${verb}`,
    `$SRV.${verb}.${service}`,
    `$SRV.${verb}.${service}.*`,
  ]);
}
