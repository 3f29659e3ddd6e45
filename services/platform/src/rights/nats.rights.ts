import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { BulkService } from '@warren/proto/devices/v1/bulk';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { SavedFiltersService } from '@warren/proto/devices/v1/filters';
import { MatchingService } from '@warren/proto/devices/v1/matching';
import { RolloutsService } from '@warren/proto/devices/v1/rollouts';
import { AuditService } from '@warren/proto/audit/v1/audit';
import { RecordingExportsService, RecordingsService } from '@warren/proto/audit/v1/recordings';
import { AlertsService } from '@warren/proto/fleet/v1/alerts';
import { MetricsService } from '@warren/proto/fleet/v1/metrics';
import { NotificationsService } from '@warren/proto/fleet/v1/notifications';
import { GuestLinksService } from '@warren/proto/identity/v1/guests';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import { AccessService } from '@warren/proto/tenancy/v1/access';
import { DomainsService } from '@warren/proto/tenancy/v1/domains';
import { GroupRulesService } from '@warren/proto/tenancy/v1/group_rules';
import { InvitationsService } from '@warren/proto/tenancy/v1/invitations';
import { AccessRequestsService } from '@warren/proto/tenancy/v1/requests';
import { ScimService } from '@warren/proto/tenancy/v1/scim';
import { ServiceAccountsService } from '@warren/proto/tenancy/v1/service_accounts';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { UsageService } from '@warren/proto/tenancy/v1/usage';
import { UsersService } from '@warren/proto/tenancy/v1/users';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { EVENT_STREAM, EVENT_SUBJECTS, subjectOfKind, type EventKind } from '../events/event.ts';
import { subjectPrefix } from '../rpc/wire.ts';
import { CALLS, inboxOf, OBSERVER, SERVICE_NAMES, type ServiceName } from '../nats/calls.ts';

/** The traffic of a service on the message bus, besides its calls. */
interface Traffic {
  /** Proto services that it serves. */
  serves: readonly DescService[];
  /** How it reads events: by its durable place in the stream, each from now on in each replica, or as they pass. */
  reads: readonly ('durably' | 'following' | 'passing')[];
}

/** The permitted traffic of each service on the bus. */
export const TRAFFIC: Readonly<Record<ServiceName, Traffic>> = {
  gateway: { serves: [], reads: ['passing'] },
  identity: { serves: [GuestLinksService, IdentityService, TokensService], reads: ['durably'] },
  tenancy: {
    serves: [
      AccessRequestsService,
      AccessService,
      DomainsService,
      GroupRulesService,
      ScimService,
      ServiceAccountsService,
      TenancyService,
      InvitationsService,
      UsersService,
      UsageService,
    ],
    reads: ['durably'],
  },
  devices: {
    serves: [BulkService, DevicesService, RolloutsService, SavedFiltersService, MatchingService],
    reads: ['durably'],
  },
  fleet: { serves: [MetricsService, AlertsService, NotificationsService], reads: ['durably'] },
  tunnels: { serves: [TunnelsService], reads: ['following'] },
  audit: { serves: [AuditService, RecordingsService, RecordingExportsService], reads: ['durably'] },
};

/** Services whose callers choose which of its processes answers. */
const BY_INSTANCE: readonly DescService[] = [TunnelsService, RecordingExportsService];

/** The services that publish each kind of event. */
export const EVENT_PRODUCERS: Readonly<Record<EventKind, readonly ServiceName[]>> = {
  deviceChanged: ['devices'],
  deviceDeleted: ['devices'],
  devicesChanged: ['devices'],
  linksChanged: ['tunnels'],
  deviceCloned: ['tunnels'],
  rolloutChanged: ['devices'],
  updateWindowChanged: ['devices'],
  savedFilterChanged: ['devices'],
  bulkJobChanged: ['devices'],
  channelChanged: ['fleet'],
  usageCounted: ['tunnels'],
  alertsChanged: ['fleet'],
  alertRuleChanged: ['fleet'],
  alertsAcknowledged: ['fleet'],
  alertSilenceChanged: ['fleet'],
  accountChanged: ['tenancy'],
  accountDeleted: ['tenancy'],
  quotasChanged: ['tenancy'],
  userChanged: ['tenancy'],
  userDeleted: ['tenancy'],
  groupChanged: ['tenancy'],
  groupDeleted: ['tenancy'],
  invitationChanged: ['tenancy'],
  invitationDeleted: ['tenancy'],
  accessChanged: ['tenancy'],
  accessRequestChanged: ['tenancy'],
  guestLinkChanged: ['identity'],
  audit: SERVICE_NAMES,
  auditStored: ['audit'],
};

/** Subjects that a service may publish to and listen on, as patterns of NATS. Answers to calls are besides. */
export interface Permissions {
  publish: { allow: string[]; deny: string[] };
  subscribe: string[];
}

/** All permissions of a service on the bus. */
export function permissionsOf(service: ServiceName): Permissions {
  const { serves, reads } = TRAFFIC[service];
  const told = kindsOf(service).map(subjectOfKind);
  const touchesStream = told.length > 0 || reads.some((how) => how !== 'passing');
  return {
    publish: {
      allow: [
        ...CALLS[service].flatMap(subjectsOf),
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

/** What it takes to see that the stream is kept, and that each service answers. */
export function observerPermissions(): Permissions {
  return {
    publish: { allow: ['$SRV.PING', '$JS.API.INFO', '$JS.API.STREAM.INFO.*'], deny: [] },
    subscribe: [`${inboxOf(OBSERVER)}.>`],
  };
}

/** Where a method is called: at any process, and, if its callers choose one, at each. */
function subjectsOf(method: DescMethod): string[] {
  const { parent, name } = method;
  const any = `${subjectPrefix(parent)}.${name}`;
  return BY_INSTANCE.includes(parent) ? [any, `${subjectPrefix(parent, '*')}.${name}`] : [any];
}

function kindsOf(service: ServiceName): EventKind[] {
  return (Object.keys(EVENT_PRODUCERS) as EventKind[]).filter((kind) => EVENT_PRODUCERS[kind].includes(service));
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
