import { registry } from '@warren/platform/telemetry/metrics';
import { Counter, Gauge } from 'prom-client';

const registers = [registry];

export const signIns = new Counter({
  name: 'warren_identity_sign_ins_total',
  help: "Sign-ins, by identity provider (unknown if the answer names none) and result: signed_in, or refused (the provider's answer could not be accepted).",
  labelNames: ['provider', 'result'] as const,
  registers,
});
for (const result of ['signed_in', 'refused']) signIns.inc({ provider: 'unknown', result }, 0);

export const signOuts = new Counter({
  name: 'warren_identity_sign_outs_total',
  help: 'Sessions that ended, by reason: asked by the person, by the provider, withdrawn, since the quota of the account is used up, or expired.',
  labelNames: ['reason'] as const,
  registers,
});
for (const reason of ['person', 'provider', 'withdrawn', 'quota', 'expired']) signOuts.inc({ reason }, 0);

export const tokenChecks = new Counter({
  name: 'warren_identity_token_checks_total',
  help: 'API tokens that were looked up, by result: valid, unknown, expired, or revoked. Gateways keep the answer for some seconds.',
  labelNames: ['result'] as const,
  registers,
});
for (const result of ['valid', 'unknown', 'expired', 'revoked']) tokenChecks.inc({ result }, 0);

export const guestLinks = new Counter({
  name: 'warren_identity_guest_links_total',
  help: 'Steps of guest links: created, redeemed by a guest, refused to one, or ended.',
  labelNames: ['step'] as const,
  registers,
});
for (const step of ['created', 'redeemed', 'refused', 'ended']) guestLinks.inc({ step }, 0);

export const guestReviewsDue = new Gauge({
  name: 'warren_identity_guest_reviews_due',
  help: 'Guest links whose makers are to be reviewed now, as they may have lost what the links give; the same in every replica.',
  registers,
});

export const guestReviewsOldest = new Gauge({
  name: 'warren_identity_guest_reviews_oldest_seconds',
  help: 'For how long the oldest review of a guest link has waited since the event, 0 if there is none; the same in every replica.',
  registers,
});

export const socketTokens = new Counter({
  name: 'warren_identity_socket_tokens_total',
  help: 'One-time tokens for sessions on devices, by what became of them: issued, redeemed, or refused.',
  labelNames: ['result'] as const,
  registers,
});
for (const result of ['issued', 'redeemed', 'refused']) socketTokens.inc({ result }, 0);
