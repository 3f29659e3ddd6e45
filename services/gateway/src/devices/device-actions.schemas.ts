import { customName, httpAddress, httpPort, vncPort } from '@warren/rules/devices';
import { z } from 'zod';
import { idSchema } from '../http/schemas.ts';
import { deviceSchema, serialSchema, webPermissionsSchema } from './device.schemas.ts';
import { doneSchema } from '../http/done.ts';
import { FLEET } from '../http/example.fleet.ts';

const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';

/** What of a device is switched. */
export const serviceSchema = z.enum(['ssh', 'http']).describe('ssh: its console; http: its web service.');
export const switchSchema = z.enum(['enable', 'disable']);

export const enableHttpBody = z
  .object({
    id: idSchema,
    port: httpPort.meta({ description: '1 to 65535.', examples: [1880] }),
    serial: serialSchema,
    ipaddr: httpAddress.meta({
      description: 'Where on the device it listens: a loopback address, or the private address of the device.',
      examples: ['127.0.0.1'],
    }),
    host: z
      .enum(['local', 'public'])
      .optional()
      .describe('The host name that it sees: its own address (`local`), or the public one. Unchanged if absent.'),
    permissions: webPermissionsSchema
      .optional()
      .describe(
        'What the web service may do: read the clipboard, use camera, microphone or location, and replace the console. Unchanged if not given; nothing at first.',
      ),
  })
  .meta({ id: 'EnableHttp', examples: [{ id: ID, port: 1880, serial: '10000000a1b2c3d4', ipaddr: '127.0.0.1' }] });
export type EnableHttpBody = z.output<typeof enableHttpBody>;

export const setVncBody = z
  .object({
    id: idSchema,
    port: vncPort.meta({ description: '1 to 65535, or the display, such as :1.', examples: [5900] }),
    serial: serialSchema,
    ipaddr: httpAddress.meta({
      description: 'Where on the device it listens: a loopback address, or the private address of the device.',
      examples: ['127.0.0.1'],
    }),
  })
  .meta({ id: 'SetVnc', examples: [{ id: ID, port: 5900, serial: '10000000a1b2c3d4', ipaddr: '127.0.0.1' }] });
export type SetVncBody = z.output<typeof setVncBody>;

export const changeHostnameBody = z
  .object({ id: idSchema, custom_name: customName.meta({ examples: ['Greenhouse 2'] }) })
  .meta({ id: 'ChangeHostname', examples: [{ id: ID, custom_name: FLEET.device.name }] });
export type ChangeHostnameBody = z.output<typeof changeHostnameBody>;

export const changeAccountBody = z
  .object({ id: idSchema, account: idSchema })
  .meta({ id: 'ChangeAccount', examples: [{ id: ID, account: FLEET.account.id }] });
export type ChangeAccountBody = z.output<typeof changeAccountBody>;

export const replaceDeviceBody = z
  .object({
    replaces: idSchema.describe('The old entry.'),
    new_hardware: z
      .boolean()
      .default(false)
      .describe('Whether the serial may be another one than that of the old entry.'),
  })
  .meta({ id: 'ReplaceDevice', examples: [{ replaces: ID }] });
export type ReplaceDeviceBody = z.output<typeof replaceDeviceBody>;

export const decideMachineBody = z
  .object({
    serial: serialSchema.describe('Of the machine that waits.'),
    decision: z
      .enum(['replace', 'separate'])
      .describe(
        'replace: it is the device now, and keeps name, settings and history. separate: it becomes a separate device.',
      ),
  })
  .meta({ id: 'DecideMachine', examples: [{ serial: '10000000a1b2c3d4', decision: 'separate' }] });
export type DecideMachineBody = z.output<typeof decideMachineBody>;

/** The answer to a change: the device as it is now. */
export const deviceChangedSchema = doneSchema.extend({ result: deviceSchema }).meta({ id: 'DeviceChanged' });
