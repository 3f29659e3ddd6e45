import { z } from 'zod';
import { channelUrl } from './channels.ts';
import { deviceText } from './facts.ts';

/** Where audit events are streamed to. */
export const STREAM_KINDS = ['webhook', 'syslog', 'file'] as const;
export type StreamKindName = (typeof STREAM_KINDS)[number];

export const STREAM_LIMITS = { perAccount: 5, name: 64, ca: 16_384, actions: 20, changesPerHour: 600 } as const;

/** Months that an account may keep its events. */
export const RETENTION_MONTHS = { min: 1, max: 120 } as const;

export const STREAM_OUTCOMES = ['success', 'refused', 'failed'] as const;
export type StreamOutcome = (typeof STREAM_OUTCOMES)[number];

/** What people call a stream. */
export const streamName = deviceText(STREAM_LIMITS.name).trim().min(1, 'expected a name');

/** The URL of a webhook. */
export const streamUrl = channelUrl;

const SYSLOG_EXPECTED = 'expected an address such as tls://siem.example.com:6514';

/** A receiver of syslog over TLS (RFC 5425); port 6514 if none is given. */
export const syslogAddress = z
  .string(SYSLOG_EXPECTED)
  .trim()
  .max(300, 'expected at most 300 characters')
  .regex(/^tls:\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?\/?$/i, SYSLOG_EXPECTED);

/** Certificates that sign the certificate of a receiver, as PEM; empty: those of public authorities. */
export const streamCa = z
  .string()
  .max(STREAM_LIMITS.ca, `expected at most ${STREAM_LIMITS.ca} characters`)
  .regex(
    /^$|^\s*-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=-]+-----END CERTIFICATE-----\s*$/,
    'expected certificates as PEM, from -----BEGIN CERTIFICATE----- on',
  );

/** Actions or groups of actions; none: all. */
export const streamActions = z
  .array(
    z
      .string()
      .max(100)
      .regex(
        /^[a-z][a-z_]*\.(\*|[a-z][a-z_]*)$/,
        'expected an action such as device.rename, or a group such as device.*',
      ),
  )
  .max(STREAM_LIMITS.actions, `expected at most ${STREAM_LIMITS.actions} actions`);

/** Outcomes; none: all. */
export const streamOutcomes = z.array(z.enum(STREAM_OUTCOMES)).max(STREAM_OUTCOMES.length);
