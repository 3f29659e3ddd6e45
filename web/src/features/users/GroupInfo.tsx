import { Skeleton } from '@mantine/core';
import type { Group } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import classes from './GroupInfo.module.css';

const text = messages.groups;

/** The group, and the permissions of its users: the panel over its users. Reserves its space until it is loaded. */
export function GroupInfo({ group }: { group: Group | undefined }) {
  if (!group) return <Skeleton height={66} radius="md" mb="md" />;
  const facts = [
    [text.role, group.role || '–'],
    [text.account, group.account_name],
    [text.users, String(group.user_count)],
    [text.type, group.default === 'Yes' ? text.default : text.custom],
    [text.kind, text.can[group.role] ?? '–'],
  ];
  return (
    <dl className={classes.root}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className={classes.label}>{label}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
