import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import type { Request } from 'express';
import { parseLabels, type Labels } from '@warren/rules/labels';
import { z } from 'zod';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { serialSchema } from '../devices/device.schemas.ts';
import { done, doneSchema } from '../http/done.ts';
import { Describe } from '../http/api.decorators.ts';
import { clientAddress } from '../http/client.address.ts';
import { gatewayCaller } from '../http/signed-in.request.ts';
import { idSchema } from '../http/schemas.ts';
import { enrolmentTokenText } from '../install/enrolment.token.ts';
import { FLEET } from '../http/example.fleet.ts';

/** What the examples have for 32 and 64 bytes. */
const PUBLIC_KEY = 'Hq4w3jzQ0mYVt5fG8rS1kLx2uN7aPcE9dToIbWvRyZA';
const SIGNATURE = PUBLIC_KEY.repeat(2);

/** Base64url without padding of exactly so many bytes. */
const bytes = (count: number) =>
  z
    .string()
    .regex(new RegExp(`^[\\w-]{${Math.ceil((count * 4) / 3)}}$`), `expected ${count} bytes as base64url`)
    .describe(`${count} bytes, base64url without padding.`);

const factsSchema = z
  .record(z.string().max(64), z.union([z.string().max(512), z.number()]))
  .describe('JSON form of warren.agent.v1.Facts.');

/** `site=north,ring=canary`, as the variable WARREN_LABELS of the installer has them. */
const labelsText = z
  .string()
  .max(4_096, 'expected at most 4096 characters')
  .default('')
  .superRefine((text, context) => {
    const parsed = parseLabels(text);
    if ('message' in parsed) context.addIssue({ code: 'custom', message: `${parsed.message}; came: ${parsed.part}` });
  })
  .describe('Labels that the device asks for, such as `site=north,ring=canary`. Those of the token win.');

const enrolBody = z
  .object({
    account: idSchema,
    token: enrolmentTokenText,
    public_key: bytes(32).describe('Ed25519 public key.'),
    proof: bytes(64).describe('Signature by that key over `warren-enrol:` and the token.'),
    serial: serialSchema,
    facts: factsSchema,
    labels: labelsText,
  })
  .meta({
    id: 'EnrolRequest',
    examples: [
      {
        account: FLEET.account.id,
        token: 'Hq4w3jzQ0mYVt5fG8rS1kLx2uN7aPcE9dToIbWvRyZA',
        public_key: PUBLIC_KEY,
        proof: SIGNATURE,
        serial: '10000000a1b2c3d4',
        facts: { hostname: 'raspberrypi' },
        labels: 'site=north',
      },
    ],
  });
type EnrolBody = z.output<typeof enrolBody>;

const rotateBody = z
  .object({
    device_id: idSchema,
    old_key: bytes(32).describe('Ed25519 public key that the device has.'),
    new_key: bytes(32).describe('Ed25519 public key that it is to have.'),
    old_proof: bytes(64).describe(
      'Signature by the old key over `warren-rotate:`, the device id, `:`, the old key, `:` and the new key.',
    ),
    new_proof: bytes(64).describe('Signature by the new key over the same.'),
  })
  .meta({
    id: 'RotateKey',
    examples: [
      {
        device_id: FLEET.device.id,
        old_key: PUBLIC_KEY,
        new_key: PUBLIC_KEY.toLowerCase(),
        old_proof: SIGNATURE,
        new_proof: SIGNATURE,
      },
    ],
  });
type RotateBody = z.output<typeof rotateBody>;

const separateBody = z
  .object({
    device_id: idSchema.describe('The device whose key the machine has.'),
    serial: serialSchema.describe('Of the machine.'),
    new_key: bytes(32).describe('Ed25519 public key that the machine is to have.'),
    old_proof: bytes(64).describe(
      "Signature by the device's key over `warren-separate:`, the device id, `:` and the new key.",
    ),
    new_proof: bytes(64).describe('Signature by the new key over the same.'),
    facts: factsSchema,
  })
  .meta({
    id: 'SeparateMachine',
    examples: [
      {
        device_id: FLEET.device.id,
        serial: '10000000a1b2c3d5',
        new_key: PUBLIC_KEY,
        old_proof: SIGNATURE,
        new_proof: SIGNATURE,
        facts: { hostname: 'raspberrypi' },
      },
    ],
  });
type SeparateBody = z.output<typeof separateBody>;

const enrolledSchema = z
  .object({
    device_id: idSchema,
    account_name: z.string(),
    audience: z.string().describe("The `aud` of the agent's tokens."),
  })
  .meta({
    id: 'Enrolled',
    examples: [{ device_id: FLEET.device.id, account_name: FLEET.account.name, audience: 'https://hub.example.com' }],
  });

@ApiTags('agent')
@Controller('agent')
export class AgentController {
  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL'>,
  ) {}

  @Post('enrol')
  @Describe({
    summary: 'Trades an enrolment token and a public key for a device.',
    answer: enrolledSchema,
    status: 201,
    errors: [401, 409, 429],
    anybody: true,
  })
  async enrol(@Body({ schema: enrolBody }) body: EnrolBody, @Req() request: Request) {
    const enrolled = await this.devices.enrol(gatewayCaller(request), {
      accountId: body.account,
      token: body.token,
      publicKey: Buffer.from(body.public_key, 'base64url'),
      proof: Buffer.from(body.proof, 'base64url'),
      serial: body.serial,
      facts: readFacts(body.facts),
      publicIp: clientAddress(request),
      labels: labelsOf(body.labels),
    });
    return this.enrolled(enrolled);
  }

  @Post('separate')
  @Describe({
    summary: "Enrols a machine that has another device's key as a separate device.",
    description:
      'An administrator has to decide so first, within 24 hours; 409 otherwise. Asking once more with the same key is no error.',
    answer: enrolledSchema,
    status: 201,
    errors: [401, 404, 409, 429],
    anybody: true,
  })
  async separateMachine(@Body({ schema: separateBody }) body: SeparateBody, @Req() request: Request) {
    const enrolled = await this.devices.separateMachine(gatewayCaller(request), {
      deviceId: body.device_id,
      serial: body.serial,
      newKey: Buffer.from(body.new_key, 'base64url'),
      oldProof: Buffer.from(body.old_proof, 'base64url'),
      newProof: Buffer.from(body.new_proof, 'base64url'),
      facts: readFacts(body.facts),
      publicIp: clientAddress(request),
    });
    return this.enrolled(enrolled);
  }

  @Post('rotate_key')
  @HttpCode(200)
  @Describe({
    summary: "Puts a device's new public key in the place of its old one.",
    description: 'The old key opens nothing any more. Asking once more for the same change is no error.',
    answer: doneSchema,
    errors: [401, 404, 409, 429],
    anybody: true,
  })
  async rotateKey(@Body({ schema: rotateBody }) body: RotateBody, @Req() request: Request) {
    await this.devices.rotateKey(gatewayCaller(request), {
      deviceId: body.device_id,
      oldKey: Buffer.from(body.old_key, 'base64url'),
      newKey: Buffer.from(body.new_key, 'base64url'),
      oldProof: Buffer.from(body.old_proof, 'base64url'),
      newProof: Buffer.from(body.new_proof, 'base64url'),
    });
    return done('The new key is in place');
  }

  private enrolled({ deviceId, accountName }: { deviceId: string; accountName: string }) {
    return { device_id: deviceId, account_name: accountName, audience: this.config.HUB_URL };
  }
}

/** @throws Fault `invalid_argument` for what is no JSON form of Facts; fields of newer agents are passed over */
function readFacts(json: JsonValue): Facts {
  try {
    const facts = fromJson(FactsSchema, json, { ignoreUnknownFields: true });
    // The hub measures it, once there is a link.
    facts.clockOffset = undefined;
    return facts;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'expected the JSON form of warren.agent.v1.Facts';
    throw new Fault('invalid_argument', message, { cause, problems: [{ field: 'facts', message }] });
  }
}

function labelsOf(text: string): Labels {
  const parsed = parseLabels(text);
  return 'labels' in parsed ? parsed.labels : {};
}
