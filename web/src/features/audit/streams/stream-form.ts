import type { AuditStream } from '../../../lib/api/types.ts';
import { auditStreams as text } from '../../../lib/messages/audit-streams.ts';

export type StreamKind = AuditStream['kind'];
/** The kinds that people may choose from. @param files whether the hub has a folder for files */
export const streamKinds = (files: boolean): StreamKind[] =>
  files ? ['syslog', 'webhook', 'file'] : ['syslog', 'webhook'];

/** A stream as its form has it. */
export interface StreamContent {
  name: string;
  kind: StreamKind;
  /** Of a stored webhook: empty to keep its URL. */
  url: string;
  ca: string;
  /** Separated by commas or spaces. */
  actions: string;
  outcomes: AuditStream['outcomes'];
}

export const newStream = (): StreamContent => ({
  name: '',
  kind: 'syslog',
  url: '',
  ca: '',
  actions: '',
  outcomes: [],
});

export const contentOf = ({ name, kind, url, ca, actions, outcomes }: AuditStream): StreamContent => ({
  name,
  kind,
  url: kind === 'webhook' ? '' : url,
  ca,
  actions: actions.join(', '),
  outcomes,
});

/** The actions that are typed. */
export const actionsOf = ({ actions }: Pick<StreamContent, 'actions'>): string[] =>
  actions.split(/[\s,]+/).filter(Boolean);

const ACTION = /^[a-z][a-z_]*\.(\*|[a-z][a-z_]*)$/;

type Problems = Partial<Record<'name' | 'url' | 'actions', string>>;

/**
 * What is missing or wrong in a stream, by its field.
 * @param isNew a new stream has no stored URL
 */
export function problemsOf(content: StreamContent, isNew: boolean): Problems {
  const { name, kind, url } = content;
  const isKept = !isNew && kind === 'webhook' && url.trim() === '';
  const wanted = kind === 'syslog' ? /^tls:\/\/\S+$/i : /^https?:\/\/\S+$/i;
  return {
    ...(name.trim() === '' && { name: text.nameMissing }),
    ...(kind !== 'file' &&
      !isKept &&
      !wanted.test(url.trim()) && { url: kind === 'syslog' ? text.addressMissing : text.urlMissing }),
    ...(!actionsOf(content).every((one) => ACTION.test(one)) && { actions: text.actionsWrong }),
  };
}
