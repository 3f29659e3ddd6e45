import { SCIM_LIMITS } from '@warren/rules/scim';
import { GROUP_URN, USER_URN } from './scim.bodies.ts';
import { locationOf } from './scim.json.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

interface Attribute {
  type?: 'string' | 'boolean' | 'complex' | 'reference';
  description: string;
  multiValued?: boolean;
  required?: boolean;
  mutability?: 'readWrite' | 'readOnly' | 'immutable';
  uniqueness?: 'none' | 'server';
  referenceTypes?: string[];
  subAttributes?: object[];
}

/** An attribute with the defaults of RFC 7643, section 2.2. */
function attribute(name: string, given: Attribute) {
  const { type = 'string', multiValued = false, required = false, mutability = 'readWrite', ...others } = given;
  const usual = { caseExact: false, returned: 'default', uniqueness: 'none' };
  return { name, type, multiValued, required, mutability, ...usual, ...others };
}

const EXTERNAL_ID = attribute('externalId', { description: "The identity provider's id." });

const USER = [
  attribute('userName', {
    description: 'The e-mail address that the person signs in with. It does not change.',
    required: true,
    mutability: 'immutable',
    uniqueness: 'server',
  }),
  EXTERNAL_ID,
  attribute('displayName', { description: 'The name in Warren.' }),
  attribute('name', {
    type: 'complex',
    description: 'The parts of the name.',
    subAttributes: [
      attribute('formatted', { description: 'As displayName.' }),
      attribute('givenName', { description: 'First name.' }),
      attribute('familyName', { description: 'Last name.' }),
    ],
  }),
  attribute('emails', {
    type: 'complex',
    multiValued: true,
    description: 'The primary address is that of the user if userName is no address.',
    subAttributes: [
      attribute('value', { description: 'An e-mail address.' }),
      attribute('primary', { type: 'boolean', description: 'Whether it is the primary one.' }),
    ],
  }),
  attribute('active', { type: 'boolean', description: 'False ends sessions, API tokens and terminals.' }),
  attribute('groups', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    description: 'The group of the user.',
    subAttributes: [attribute('value', { description: 'Id of the group.', mutability: 'readOnly' })],
  }),
];

const GROUP = [
  attribute('displayName', { description: 'The name of the group.', required: true, uniqueness: 'server' }),
  EXTERNAL_ID,
  attribute('members', {
    type: 'complex',
    multiValued: true,
    description: 'Users with the role Member. A user is in one group: the one it was last added to.',
    subAttributes: [attribute('value', { description: 'Id of the user.', mutability: 'immutable' })],
  }),
];

/** What the service can do (RFC 7643, section 5). */
export function providerConfig(hub: string) {
  const no = { supported: false };
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: SCIM_LIMITS.page },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token of the account, which an Owner creates in the console.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: locationOf(hub, 'ServiceProviderConfig') },
  };
}

/** The kinds of resources (RFC 7643, section 6). */
export function resourceTypes(hub: string) {
  return [
    { name: 'User', endpoint: '/Users', description: 'A user of the account.', schema: USER_URN },
    { name: 'Group', endpoint: '/Groups', description: 'A group of Members.', schema: GROUP_URN },
  ].map((one) => ({
    schemas: [`${CORE}:ResourceType`],
    id: one.name,
    ...one,
    meta: { resourceType: 'ResourceType', location: locationOf(hub, 'ResourceTypes', one.name) },
  }));
}

/** The schemas of the resources (RFC 7643, section 7). */
export function schemaDefinitions(hub: string) {
  return [
    { id: USER_URN, name: 'User', description: 'A user of the account.', attributes: USER },
    { id: GROUP_URN, name: 'Group', description: 'A group of Members.', attributes: GROUP },
  ].map((one) => ({
    schemas: [`${CORE}:Schema`],
    ...one,
    meta: { resourceType: 'Schema', location: locationOf(hub, 'Schemas', one.id) },
  }));
}
