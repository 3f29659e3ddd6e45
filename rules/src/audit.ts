/** What an audit event can be about. */
export const AUDIT_TARGETS = [
  'access_request',
  'account',
  'account_quotas',
  'alert',
  'alert_rule',
  'alert_silence',
  'audit_stream',
  'audit_trail',
  'bulk_job',
  'channel',
  'device',
  'domain',
  'enrolment_token',
  'filter',
  'grant',
  'group',
  'guest_link',
  'invitation',
  'notification',
  'operation',
  'recording',
  'recording_settings',
  'rollout',
  'service_account',
  'session',
  'socket_token',
  'terminal',
  'token',
  'update_window',
  'user',
] as const;
export type AuditTargetKind = (typeof AUDIT_TARGETS)[number];

/**
 * The actions of audit events, by group: `device.reboot`. What was refused or failed has the same action with that outcome. Names stay
 * for good: events of years ago have them.
 */
export const AUDIT_ACTIONS = {
  /** Requests that Warren refused for lack of rights; the target is the operation of the API. */
  access: ['deny'],
  access_request: ['create', 'approve', 'deny', 'withdraw', 'expire'],
  account: [
    'create',
    'assign_owner',
    'enable',
    'disable',
    'delete',
    'set_quotas',
    'set_access_mode',
    'set_access_rules',
  ],
  alert: ['acknowledge'],
  alert_rule: ['create', 'change', 'delete'],
  alert_silence: ['create', 'delete'],
  audit: ['export', 'set_retention'],
  audit_stream: ['create', 'change', 'delete', 'test', 'rotate_secret'],
  bulk_job: ['start', 'cancel', 'finish'],
  channel: ['create', 'change', 'delete', 'test', 'rotate_secret'],
  desktop: ['open', 'close'],
  device: [
    'enrol',
    'replace',
    'rename',
    'move',
    'delete',
    'reboot',
    'rotate_key',
    'replace_key',
    'label',
    'set_notes',
    'set_service',
    'enable_http',
    'set_vnc',
    'decide_machine',
    'separate_machine',
  ],
  domain: ['claim', 'verify', 'lose', 'remove'],
  enrolment_token: ['create', 'revoke'],
  filter: ['save', 'change', 'delete'],
  grant: ['create', 'change', 'withdraw', 'expire'],
  group: ['create', 'rename', 'delete'],
  group_rule: ['create', 'change', 'delete', 'reorder'],
  guest_link: ['create', 'redeem', 'end'],
  invitation: ['send', 'resend', 'cancel', 'sign_up', 'accept'],
  logs: ['open', 'close'],
  notification: ['retry'],
  recording: ['start', 'finish', 'view', 'export', 'search', 'hold', 'release', 'delete', 'drop', 'set_policy'],
  rollout: ['start', 'set_share', 'change', 'retry_device'],
  service_account: ['create', 'change', 'enable', 'disable', 'delete'],
  session: ['sign_in', 'sign_out', 'end', 'try_sign_in'],
  socket_token: ['issue', 'redeem'],
  terminal: ['open', 'observe', 'close', 'end', 'rename', 'pin', 'unpin'],
  token: ['create', 'revoke', 'use'],
  update_window: ['change'],
  user: ['create', 'enable', 'disable', 'move', 'delete', 'reset_sign_in', 'change_profile'],
  web_service: ['open', 'close'],
} as const satisfies Record<string, readonly string[]>;

export type AuditGroup = keyof typeof AUDIT_ACTIONS;
export type AuditAction = { [G in AuditGroup]: `${G}.${(typeof AUDIT_ACTIONS)[G][number]}` }[AuditGroup];

export const AUDIT_ACTION_NAMES = Object.entries(AUDIT_ACTIONS).flatMap(([group, verbs]) =>
  verbs.map((verb) => `${group}.${verb}` as AuditAction),
);

export const isAuditAction = (text: string): text is AuditAction => AUDIT_ACTION_NAMES.some((name) => name === text);
