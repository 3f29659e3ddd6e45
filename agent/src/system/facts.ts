import { create } from '@bufbuild/protobuf';
import { FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { cpus, hostname, machine, networkInterfaces, release, uptime } from 'node:os';
import { DiskReader, fullestOf, readDisk } from './disks.ts';
import { readText } from './files.ts';
import { readTemperature, readThrottled } from './heat.ts';
import {
  cpuUsage,
  firmwareText,
  parseCpuModel,
  parseCpuTimes,
  parseDefaultRoute,
  parseLoad,
  parseMemory,
  parseOsName,
  type CpuTimes,
} from './parse.ts';

/** The CPU's current ticks; two readings make a usage. */
export async function readCpuTimes(): Promise<CpuTimes> {
  return parseCpuTimes(await readText('/proc/stat'));
}

/** What facts are made of besides the machine. */
interface FactsFrom {
  version: string;
  /** Instead of the host name. */
  name?: string | undefined;
  disks?: DiskReader | undefined;
}

/**
 * Reads all facts of this device.
 * @param since the CPU's ticks at the start of the interval for `cpu_usage`
 */
export async function readFacts(
  since: CpuTimes,
  { version, name = hostname(), disks = new DiskReader() }: FactsFrom,
): Promise<Facts> {
  const [memory, disk, now, os, model, privateIp, temperature, throttled, load, sizes] = await Promise.all([
    readText('/proc/meminfo').then(parseMemory),
    readDisk('/'),
    readCpuTimes(),
    readText('/etc/os-release').then(parseOsName),
    readModel(),
    readPrivateIp(),
    readTemperature(),
    readThrottled(),
    readText('/proc/loadavg').then(parseLoad),
    disks.read(),
  ]);
  const fullest = fullestOf(sizes);
  return create(FactsSchema, {
    hostname: name,
    privateIp,
    cpuCores: cpus().length,
    cpuUsage: cpuUsage(since, now),
    totalRam: BigInt(memory.total),
    usedRam: BigInt(memory.used),
    totalDisk: BigInt(disk.total),
    usedDisk: BigInt(disk.used),
    os: os || 'Linux',
    kernel: release(),
    arch: machine(),
    model,
    uptimeSeconds: BigInt(Math.floor(uptime())),
    agentVersion: version,
    temperature,
    throttled,
    fullestDisk: fullest?.mount,
    fullestDiskUsage: fullest?.usage,
    load,
    time: BigInt(Date.now()),
  });
}

/** The device's model: from the device tree, else the firmware, else the CPU's name. */
export async function readModel(deviceTree = '/proc/device-tree'): Promise<string> {
  const tree = firmwareText(await readText(`${deviceTree}/model`));
  if (tree) return tree;
  const dmi = '/sys/class/dmi/id';
  const [vendor, product] = await Promise.all([readText(`${dmi}/sys_vendor`), readText(`${dmi}/product_name`)]);
  const named = [firmwareText(vendor), firmwareText(product)].filter(Boolean).join(' ');
  return named || parseCpuModel(await readText('/proc/cpuinfo'));
}

/** The IPv4 address of the interface with the default route, else any outward address, else ''. */
async function readPrivateIp(): Promise<string> {
  const interfaces = networkInterfaces();
  const route = parseDefaultRoute(await readText('/proc/net/route'));
  const preferred = route === undefined ? [] : (interfaces[route] ?? []);
  const all = [...preferred, ...Object.values(interfaces).flatMap((list) => list ?? [])];
  const outward = all.filter((address) => !address.internal);
  return (outward.find((address) => address.family === 'IPv4') ?? outward[0])?.address ?? '';
}
