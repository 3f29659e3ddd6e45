/** What the hub says has changed in `GET /api/events`, by the kind of object. */
export type ChangeKind =
  | 'device'
  | 'account'
  | 'user'
  | 'group'
  | 'invitation'
  | 'rollout'
  | 'alert'
  | 'audit'
  | 'access'
  | 'request'
  | 'guest';
