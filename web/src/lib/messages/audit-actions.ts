import type { AUDIT_ACTIONS, AuditGroup } from '@warren/rules/audit';

type Actions = {
  [Group in AuditGroup]: { title: string; actions: Record<(typeof AUDIT_ACTIONS)[Group][number], string> };
};

/** What people call the actions of the audit trail, in the order of the filter. */
export const auditActions: Actions = {
  session: {
    title: 'Sign-in',
    actions: { sign_in: 'Sign in', sign_out: 'Sign out', end: 'End session', try_sign_in: 'Try sign-in' },
  },
  access: { title: 'Access', actions: { deny: 'Use without permission' } },
  terminal: {
    title: 'Terminals',
    actions: {
      open: 'Open terminal',
      observe: 'Observe terminal without consent',
      close: 'Leave terminal',
      end: 'End terminal',
      rename: 'Rename terminal',
      pin: 'Pin terminal',
      unpin: 'Unpin terminal',
    },
  },
  desktop: { title: 'Desktops', actions: { open: 'Open desktop', close: 'Leave desktop' } },
  web_service: { title: 'Web services', actions: { open: 'Open web service', close: 'Leave web service' } },
  logs: { title: 'Logs', actions: { open: 'Open logs', close: 'Leave logs' } },
  guest_link: {
    title: 'Guest links',
    actions: { create: 'Create guest link', redeem: 'Open guest link', end: 'End guest link' },
  },
  socket_token: {
    title: 'Socket tokens',
    actions: { issue: 'Issue socket token', redeem: 'Redeem socket token' },
  },
  device: {
    title: 'Devices',
    actions: {
      enrol: 'Enrol device',
      rename: 'Rename device',
      move: 'Move device',
      delete: 'Delete device',
      reboot: 'Reboot device',
      label: 'Label device',
      set_notes: 'Edit notes',
      set_service: 'Switch console or web service',
      enable_http: 'Expose web service',
      set_vnc: 'Set desktop address',
      rotate_key: 'Request new key',
      replace_key: 'Replace key',
      replace: 'Replace device',
      decide_machine: 'Decide on machine',
      separate_machine: 'Separate machine',
    },
  },
  enrolment_token: {
    title: 'Enrolment tokens',
    actions: { create: 'Create enrolment token', revoke: 'Revoke enrolment token' },
  },
  bulk_job: {
    title: 'Bulk jobs',
    actions: { start: 'Start bulk job', cancel: 'Cancel bulk job', finish: 'Finish bulk job' },
  },
  rollout: {
    title: 'Updates',
    actions: {
      start: 'Start rollout',
      set_share: 'Extend rollout',
      change: 'Change rollout',
      retry_device: 'Retry update',
    },
  },
  update_window: { title: 'Update windows', actions: { change: 'Change update window' } },
  filter: {
    title: 'Shared views',
    actions: { save: 'Share view', change: 'Change shared view', delete: 'Delete shared view' },
  },
  alert: { title: 'Alerts', actions: { acknowledge: 'Acknowledge alert' } },
  alert_rule: {
    title: 'Alert rules',
    actions: { create: 'Create alert rule', change: 'Change alert rule', delete: 'Delete alert rule' },
  },
  alert_silence: { title: 'Silences', actions: { create: 'Silence alerts', delete: 'End silence' } },
  channel: {
    title: 'Notification channels',
    actions: {
      create: 'Create channel',
      change: 'Change channel',
      delete: 'Delete channel',
      test: 'Test channel',
      rotate_secret: 'Rotate signing secret',
    },
  },
  notification: { title: 'Notifications', actions: { retry: 'Retry notification' } },
  user: {
    title: 'Users',
    actions: {
      create: 'Create user',
      change_profile: 'Edit profile',
      move: 'Change group',
      enable: 'Enable user',
      disable: 'Disable user',
      delete: 'Delete user',
      reset_sign_in: 'Reset sign-in',
    },
  },
  invitation: {
    title: 'Invitations',
    actions: {
      send: 'Send invitation',
      resend: 'Resend invitation',
      cancel: 'Cancel invitation',
      sign_up: 'Sign up',
      accept: 'Accept invitation',
    },
  },
  group: { title: 'Groups', actions: { create: 'Create group', rename: 'Rename group', delete: 'Delete group' } },
  group_rule: {
    title: 'Group rules',
    actions: {
      create: 'Create group rule',
      change: 'Change group rules',
      delete: 'Delete group rule',
      reorder: 'Reorder group rules',
    },
  },
  domain: {
    title: 'Domains',
    actions: {
      claim: 'Claim domain',
      verify: 'Verify domain',
      lose: 'Lose record of domain',
      remove: 'Remove domain',
    },
  },
  account: {
    title: 'Accounts',
    actions: {
      create: 'Create account',
      assign_owner: 'Assign owner',
      enable: 'Enable account',
      disable: 'Disable account',
      delete: 'Delete account',
      set_quotas: 'Set limits',
      set_access_mode: 'Change access mode',
      set_access_rules: 'Change access rules',
    },
  },
  grant: {
    title: 'Grants',
    actions: {
      create: 'Create grant',
      change: 'Change grant',
      withdraw: 'Withdraw grant',
      expire: 'Grant expires',
    },
  },
  access_request: {
    title: 'Access requests',
    actions: {
      create: 'Ask for access',
      approve: 'Approve access request',
      deny: 'Deny access request',
      withdraw: 'Withdraw access request',
      expire: 'Access request expires',
    },
  },
  service_account: {
    title: 'Service accounts',
    actions: {
      create: 'Create service account',
      change: 'Change service account',
      enable: 'Enable service account',
      disable: 'Disable service account',
      delete: 'Delete service account',
    },
  },
  token: {
    title: 'API tokens',
    actions: { create: 'Create API token', revoke: 'Revoke API token', use: 'Use API token' },
  },
  audit: {
    title: 'Audit trail',
    actions: { export: 'Export audit trail', set_retention: 'Set retention of audit events' },
  },
  audit_stream: {
    title: 'Audit streams',
    actions: {
      create: 'Create audit stream',
      change: 'Change audit stream',
      delete: 'Delete audit stream',
      test: 'Test audit stream',
      rotate_secret: 'Rotate signing secret',
    },
  },
  recording: {
    title: 'Recordings',
    actions: {
      start: 'Start recording',
      finish: 'Finish recording',
      view: 'Play recording',
      export: 'Export recording',
      search: 'Search recordings',
      hold: 'Hold recording',
      release: 'Release recording',
      delete: 'Delete recording',
      drop: 'Delete recording for space or age',
      set_policy: 'Change recording settings',
    },
  },
};

/** Names an action; the action itself for one of a newer hub. */
export function actionText(action: string): string {
  const [group = '', name = ''] = action.split('.');
  const known: Record<string, { actions: Record<string, string> } | undefined> = auditActions;
  return known[group]?.actions[name] ?? action;
}
