import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { permissionNames } from '@warren/platform/policy/permission.names';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { DeviceSort, HttpHost, WebPermission, type Device, type Machine } from '@warren/proto/devices/v1/devices';
import { WEB_PERMISSIONS, type WebPermissionName } from '@warren/rules/devices';
import { rightsJson } from '../access/rights.schemas.ts';
import { isoTime, yesNo } from '../http/schemas.ts';
import { factsJson } from './device.facts.ts';
import { sortedLabel, type DEVICE_SORTS, type DeviceJson, type ListDevicesQuery } from './device.schemas.ts';

const SORTS: Record<(typeof DEVICE_SORTS)[number], DeviceSort> = {
  status: DeviceSort.STATUS,
  name: DeviceSort.NAME,
  account: DeviceSort.ACCOUNT,
  model: DeviceSort.MODEL,
  os: DeviceSort.OS,
  agent_version: DeviceSort.AGENT_VERSION,
  last_seen: DeviceSort.LAST_SEEN,
  created: DeviceSort.CREATED,
  address: DeviceSort.ADDRESS,
  cpu: DeviceSort.CPU,
  memory: DeviceSort.MEMORY,
  disk: DeviceSort.DISK,
  load: DeviceSort.LOAD,
  temperature: DeviceSort.TEMPERATURE,
};

/** How the devices service takes what a list is sorted by. */
export function deviceSort(sort: ListDevicesQuery['sort']): { sort: DeviceSort; sortLabel?: string } {
  const sortLabel = sortedLabel(sort);
  return sortLabel === undefined ? { sort: SORTS[sort as keyof typeof SORTS] } : { sort: DeviceSort.LABEL, sortLabel };
}

export const PERMISSIONS: Record<WebPermissionName, WebPermission> = {
  'clipboard-read': WebPermission.CLIPBOARD_READ,
  camera: WebPermission.CAMERA,
  microphone: WebPermission.MICROPHONE,
  geolocation: WebPermission.GEOLOCATION,
  'top-navigation': WebPermission.TOP_NAVIGATION,
};

export function webPermissions(permissions: readonly WebPermission[]): WebPermissionName[] {
  return WEB_PERMISSIONS.filter((name) => permissions.includes(PERMISSIONS[name]));
}

function machineJson(machine: Machine): DeviceJson['machines'][number] {
  const { serial, model, publicIp, firstSeen, lastSeen, separates } = machine;
  return {
    serial,
    model,
    public_ip: publicIp,
    separates: yesNo(separates),
    first_seen: isoTime(firstSeen),
    last_seen: isoTime(lastSeen),
  };
}

/** A device as the REST interface shows it; unreported facts are empty or 0. */
export function deviceJson(device: Device): DeviceJson {
  const { id, factsAt, facts = create(FactsSchema) } = device;
  return {
    _id: id,
    id,
    serial: device.serial,
    name: device.name,
    custom_name: device.customName || device.name,
    account: { id: device.accountId, name: device.accountName },
    status: device.connected ? 'Connected' : 'Disconnected',
    status_since: isoTime(device.statusSince),
    ssh_enable: yesNo(device.sshEnabled),
    http_enable: yesNo(device.httpEnabled),
    http_port: device.httpPort,
    http_ip: device.httpIp,
    vnc_ip: device.vncIp,
    vnc_port: device.vncPort,
    http_host: device.httpHost === HttpHost.PUBLIC ? 'public' : 'local',
    http_permissions: webPermissions(device.httpPermissions),
    http_address: device.httpAddress,
    private_ip: facts.privateIp,
    public_ip: device.publicIp,
    agent_version: facts.agentVersion,
    ...factsJson(facts),
    facts_at: factsAt ? timestampDate(factsAt).toISOString() : null,
    created: isoTime(device.created),
    cloned: yesNo(device.cloned),
    machine_waits: yesNo(device.machineWaits),
    permissions: permissionNames(device.rights.map(({ permission }) => permission)),
    rights: rightsJson(device.rights),
    labels: { ...device.labels },
    notes: device.notes,
    machines: device.machines.map(machineJson),
    replaces: device.replaces ? { id: device.replaces.id, name: device.replaces.name } : null,
  };
}
