import { expect, type APIRequestContext } from '@playwright/test';
import type { Estate, Office } from './office.ts';

/** An event of the audit trail, as far as tests look at it. */
export interface GuestEvent {
  action: string;
  outcome: string;
  actor: { kind: string; id: string; name: string };
}

/** Switches guest links on in an account. */
export async function allowGuestLinks(office: Office, estate: Estate): Promise<void> {
  const recent = { minutes: 15, terminals: false, manage: false, grants: false };
  const rules = { requests: false, longest_minutes: 60, approver_group: null, second_approver: false };
  const switched = { ...rules, guest_links: true, recent_sign_in: recent };
  await office.call('PUT', `/api/accounts/${estate.id}/access/rules`, switched);
}

/** The audit events of guests in an account. */
export async function guestEvents(office: Office, estate: Estate): Promise<GuestEvent[]> {
  const path = `/api/audit/events?limit=100&account=${estate.id}`;
  const { events } = await office.call<{ events: GuestEvent[] }>('GET', path);
  return events.filter(({ actor }) => actor.kind === 'guest');
}

/** Expects that routes of users refuse a guest. @param request a guest's */
export async function expectNoUser(request: APIRequestContext, deviceId: string): Promise<void> {
  for (const path of [
    '/api/devices',
    `/api/devices/${deviceId}`,
    `/api/get-socket-token/${deviceId}`,
    '/auth/saml/getsession',
  ])
    expect([path, (await request.get(path)).status()]).toEqual([path, 401]);
}
