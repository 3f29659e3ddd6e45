import { Fault } from '@warren/platform/errors/fault';
import type { ChangeScimUserRequest } from '@warren/proto/tenancy/v1/scim';
import { readEmail } from '@warren/rules/emails';
import { invalid } from '../contract/check.ts';
import { personName } from '../users/person-name.ts';
import type { ScimNames, ScimUserRow } from './scim.users.sql.ts';

/** A new user, as an identity provider describes it. */
export interface UserFields {
  email: string;
  name: string;
  active: boolean;
  names: ScimNames;
}

type Given = Omit<ChangeScimUserRequest, '$typeName' | 'tokenId' | 'id'>;

/**
 * Reads a new user. The address is the user name, or the primary one if the user name is no address.
 * @throws Fault `invalid_argument`
 */
export function namesOf(given: Given): UserFields {
  const { userName = '', externalId = '', active = true } = given;
  const email = readEmail(userName) ?? readEmail(given.email ?? '');
  if (email === undefined)
    throw invalid('userName', 'expected an e-mail address here, or as the primary of emails.', userName);
  const [givenName, familyName] = [personName(given.givenName ?? ''), personName(given.familyName ?? '')];
  const name = personName(given.name ?? '') || personName(`${givenName} ${familyName}`);
  return {
    email,
    name,
    active,
    names: {
      user_name: userName,
      external_id: externalId,
      given_name: givenName,
      family_name: familyName,
      written_email: writtenOf(email, given.email) ?? '',
    },
  };
}

/**
 * Applies given fields to a user.
 * @throws Fault `failed_precondition` for another address: it is what people sign in with
 */
export function changeOf(
  row: ScimUserRow,
  given: Given,
): { user: Pick<ScimUserRow, 'name' | 'status'>; names: ScimNames } {
  const userName = given.userName ?? row.user_name;
  requireSameAddress(row, given);
  const given_name = personName(given.givenName ?? row.given_name);
  const family_name = personName(given.familyName ?? row.family_name);
  // A display name that says more than the parts stays.
  const isJoined = row.name === personName(`${row.given_name} ${row.family_name}`);
  const joined = isJoined ? personName(`${given_name} ${family_name}`) : '';
  const name = personName(given.name ?? '') || joined || row.name;
  const active = given.active ?? row.status === 'Active';
  return {
    user: { name, status: active ? 'Active' : 'Inactive' },
    names: {
      user_name: userName,
      external_id: given.externalId ?? row.external_id,
      given_name,
      family_name,
      written_email: writtenOf(row.email, given.email) ?? row.written_email,
    },
  };
}

/** The address as it is written in a request, if it is the one of the user. Providers compare what they sent with what they read. */
function writtenOf(email: string, written: string | undefined): string | undefined {
  return written !== undefined && readEmail(written) === email ? written : undefined;
}

/**
 * A user whose user name is the address keeps it. If the address is from `emails`, the user name may change.
 * @throws Fault `failed_precondition`
 */
function requireSameAddress(row: ScimUserRow, { userName = row.user_name, email }: Given): void {
  const isNamedByAddress = readEmail(row.user_name) === row.email;
  const named = isNamedByAddress ? readEmail(userName) : undefined;
  const address = named ?? (email === undefined ? row.email : readEmail(email));
  if (address === row.email) return;
  throw new Fault(
    'failed_precondition',
    `the address ${row.email} can't become another. Delete the user, and create one with the new address.`,
  );
}
