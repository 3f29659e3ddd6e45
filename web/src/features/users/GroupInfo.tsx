import type { Group } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import classes from './GroupInfo.module.css';

const text = messages.groups;

/** What group this is: the panel over its users. */
export function GroupInfo({ group }: { group: Group }) {
  const facts = [
    [text.role, group.role || '–'],
    [text.account, group.account_name],
    [text.users, String(group.user_count)],
    [text.type, group.default === 'Yes' ? text.default : text.custom],
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
