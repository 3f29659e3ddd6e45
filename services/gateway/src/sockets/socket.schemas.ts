import { create } from '@bufbuild/protobuf';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import type { Device } from '@warren/proto/devices/v1/devices';
import { z } from 'zod';
import { idSchema, yesNo, yesNoSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

export const socketTokenQuery = z.object({
  purpose: z.enum(['terminal', 'desktop', 'logs']).default('terminal').describe('What the token opens.'),
});
export type SocketTokenQuery = z.output<typeof socketTokenQuery>;

const TOKEN = 'Hq4w3jzQ0mYVt5fG8rS1kLx2uN7aPcE9dToIbWvRyZA';
const INFO = {
  device_name: FLEET.device.name,
  device_sid: 'c1',
  user_id: FLEET.member.id,
  disk_usage: 9_000_000_000,
  disk_total: 31_000_000_000,
  cpu_total: 4,
  cpu_usage: 12.5,
  ram_total: 4_000_000_000,
  ram_usage: 1_200_000_000,
  http_enable: 'No',
  http_port: 1880,
  http_address: 'raspberrypi-x7k2.devices.example.com',
} as const;

const bytes = z.number().int().describe('Bytes.');

/** The device in the response with a socket token (specification, section 3, 'Socket-token response' without the token). */
export const deviceInfoSchema = z
  .object({
    device_name: z.string(),
    device_sid: z.string().describe("Id of the agent's link; empty while the device is offline."),
    user_id: idSchema.describe('You: the `UserID` of the socket.'),
    disk_usage: bytes,
    disk_total: bytes,
    cpu_total: z.int().describe('Cores.'),
    cpu_usage: z.number().describe('Percent of all cores, 0 to 100.'),
    ram_total: bytes,
    ram_usage: bytes,
    http_enable: yesNoSchema,
    http_port: z.int(),
    http_address: z.string(),
  })
  .meta({ id: 'DeviceInfo', examples: [INFO] });
export type DeviceInfoJson = z.output<typeof deviceInfoSchema>;

export const socketTokenSchema = deviceInfoSchema
  .extend({
    token: z
      .string()
      .describe(
        'Works once, within 60 seconds, for you, this device and this purpose; empty while the device is offline.',
      ),
  })
  .meta({ id: 'SocketToken', examples: [{ ...INFO, token: TOKEN }] });

export const windowTokenSchema = z
  .object({
    token: z.string().describe('A socket token for a terminal: works once, within 60 seconds.'),
    url: z.string().describe('The page to open in a new tab; `id` in it is the device, for tokens after the first.'),
  })
  .meta({
    id: 'WindowToken',
    examples: [{ token: TOKEN, url: `/api/webssh/ssh/host/?token=${TOKEN}&id=${FLEET.device.id}` }],
  });

/**
 * Builds the device of a socket token's response.
 * @param connection id of the agent's link; empty while the device is offline
 */
export function deviceInfoJson(device: Device, connection: string, userId: string): DeviceInfoJson {
  const { facts = create(FactsSchema) } = device;
  return {
    device_name: device.customName || device.name,
    device_sid: connection,
    user_id: userId,
    disk_usage: Number(facts.usedDisk),
    disk_total: Number(facts.totalDisk),
    cpu_total: facts.cpuCores,
    cpu_usage: facts.cpuUsage,
    ram_total: Number(facts.totalRam),
    ram_usage: Number(facts.usedRam),
    http_enable: yesNo(device.httpEnabled),
    http_port: device.httpPort,
    http_address: device.httpAddress,
  };
}
