import { fromJson } from '@bufbuild/protobuf';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { WEB_PERMISSIONS } from '@warren/rules/devices';
import { EXAMPLE_FACTS } from '@warren/rules/facts';
import { referringFilterText as filterRule } from '@warren/rules/filter/saved';
import { isLabelKey } from '@warren/rules/labels';
import { z } from 'zod';
import {
  accountFilterSchema,
  idSchema,
  orderSchema,
  pageFields,
  timeSchema,
  yesNoSchema,
  totalSchema,
} from '../http/schemas.ts';
import { rightSchema } from '../access/rights.schemas.ts';
import { permissionSchema } from '../http/device.permissions.ts';
import { factFields, factsJson } from './device.facts.ts';
import { FLEET } from '../http/example.fleet.ts';

/** What the devices list may be sorted by. */
export const DEVICE_SORTS = [
  'status',
  'name',
  'account',
  'model',
  'os',
  'agent_version',
  'last_seen',
  'created',
  'address',
  'cpu',
  'memory',
  'disk',
  'load',
  'temperature',
] as const;

const LABEL_SORT = /^label:([a-z0-9][-a-z0-9.]*\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const LABEL_SORT_EXPECTED = `expected ${DEVICE_SORTS.join(', ')}, or label: and the key of a label, such as label:site`;

/** The key of the label that a list is sorted by; undefined for another sort. */
export const sortedLabel = (sort: string): string | undefined =>
  sort.startsWith('label:') ? sort.slice('label:'.length) : undefined;

const labelSort = z
  .string()
  .refine((sort) => isLabelKey(sortedLabel(sort) ?? ''), LABEL_SORT_EXPECTED)
  .meta({ pattern: LABEL_SORT.source, examples: ['label:site'] });

/** What the list is sorted by: a column, or the values of a label. */
export const deviceSortSchema = z.union([z.enum(DEVICE_SORTS), labelSort], LABEL_SORT_EXPECTED).default('status');

/** A filter by the grammar of docs/filters.md. */
export const filterText = filterRule.meta({
  description: 'Devices that a filter holds for, see docs/filters.md.',
  examples: ['site=north cpu>80'],
});

/** The same in a query; if empty, all devices. */
const filterSchema = filterText.default('');

/** Query of the devices list. */
export const listDevicesQuery = z.object({
  ...pageFields(),
  account: accountFilterSchema,
  sort: deviceSortSchema.describe(
    'By status, Connected comes first; by last_seen, the most recently connected. By `label:` and a key, devices without the label come last.',
  ),
  order: orderSchema,
  filter: filterSchema,
});
export type ListDevicesQuery = z.output<typeof listDevicesQuery>;

/** A serial as a device reports it: free text without control characters. */
export const serialSchema = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}]+$/u, 'expected text without control characters')
  .meta({ examples: ['10000000a1b2c3d4'] });

export const webPermissionsSchema = z.array(z.enum(WEB_PERMISSIONS)).max(WEB_PERMISSIONS.length);

/** A machine that dials with the key of a device and has another serial. */
const machineSchema = z
  .object({
    serial: z.string(),
    model: z.string(),
    public_ip: z.string(),
    first_seen: timeSchema,
    last_seen: timeSchema,
    separates: yesNoSchema.describe('Whether it becomes a separate device when it dials next.'),
  })
  .meta({ id: 'Machine' });

/** A device (specification, section 3, as widened by the decisions). */
export const deviceSchema = z
  .object({
    _id: idSchema,
    id: idSchema,
    serial: serialSchema,
    name: z.string().describe('What the device calls itself.'),
    custom_name: z.string().describe('What people call it; its own name if they gave none.'),
    account: z.object({ id: idSchema, name: z.string() }),
    status: z.enum(['Connected', 'Disconnected']),
    status_since: timeSchema.describe('Time of the last status change.'),
    ssh_enable: yesNoSchema.describe('Whether its console may be opened.'),
    http_enable: yesNoSchema.describe('Whether its web service may be opened.'),
    http_port: z.int().describe('The port of its web service, on the device.'),
    http_ip: z.string().describe('Its address there: loopback, or the private address of the device.'),
    vnc_ip: z.string().describe('Where on the device its VNC server is, which shows its desktop.'),
    vnc_port: z.int(),
    http_host: z
      .enum(['local', 'public'])
      .describe('The host name that its web server sees: its own address, or the public one.'),
    http_permissions: webPermissionsSchema.describe(
      'What its web service may do beyond showing itself; browsers refuse it the rest.',
    ),
    http_address: z.string().describe('Host name of its web service, without a scheme.'),
    private_ip: z.string(),
    public_ip: z.string(),
    agent_version: z.string(),
    ...factFields,
    facts_at: timeSchema.nullable().describe('When the device last reported its facts; null: never.'),
    created: timeSchema,
    cloned: yesNoSchema.describe('Whether a second machine uses its identity; only the first is let in.'),
    machine_waits: yesNoSchema.describe('Whether a machine with its key and another serial waits for a decision.'),
    permissions: z.array(permissionSchema).describe('What you may do with it.'),
    rights: z.array(rightSchema).describe('The same with the reasons; empty in lists.'),
    labels: z.record(z.string(), z.string()).describe('Labels by their keys.'),
    notes: z.string().describe('What people wrote about it; empty in lists.'),
    machines: z.array(machineSchema).describe('Other machines that dial with its key; empty in lists.'),
    replaces: z
      .object({ id: idSchema, name: z.string() })
      .nullable()
      .describe('The older entry with its serial that it may take the place of; null in lists.'),
  })
  .meta({
    id: 'Device',
    examples: [
      {
        _id: FLEET.device.id,
        id: FLEET.device.id,
        serial: '10000000a1b2c3d4',
        name: 'raspberrypi',
        custom_name: FLEET.device.name,
        account: FLEET.account,
        status: 'Connected',
        status_since: '2026-01-31T08:15:30.000Z',
        ssh_enable: 'Yes',
        http_enable: 'No',
        http_port: 1880,
        http_ip: '127.0.0.1',
        vnc_ip: '127.0.0.1',
        vnc_port: 5900,
        http_host: 'local',
        http_permissions: ['clipboard-read'],
        http_address: 'raspberrypi-x7k2.devices.example.com',
        private_ip: '192.168.1.20',
        public_ip: '203.0.113.7',
        agent_version: '0.1.0',
        ...factsJson(fromJson(FactsSchema, EXAMPLE_FACTS)),
        facts_at: '2026-01-31T08:15:31.000Z',
        created: '2026-01-01T00:00:00.000Z',
        cloned: 'No',
        machine_waits: 'No',
        permissions: ['view', 'terminal', 'desktop', 'web'],
        rights: [{ permission: 'view', by: 'role', grant: null, until: null }],
        labels: { site: 'north' },
        notes: '',
        machines: [],
        replaces: null,
      },
    ],
  });
export type DeviceJson = z.output<typeof deviceSchema>;

export const deviceListSchema = z
  .object({ total: totalSchema.describe('Devices on all pages.'), devices: z.array(deviceSchema) })
  .meta({ id: 'DeviceList' });

export const deviceResultSchema = z.object({ result: deviceSchema }).meta({ id: 'DeviceResult' });
