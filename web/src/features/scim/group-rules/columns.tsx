import { Anchor, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { GroupRule } from '../../../lib/api/types.ts';
import { groupRules as text } from '../../../lib/messages/group-rules.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { RowMenu, type RowAction } from '../../../ui/RowMenu.tsx';

interface GroupRuleColumns {
  account: string;
  rules: readonly GroupRule[];
  move: (rule: GroupRule, by: -1 | 1) => void;
  remove: (rule: GroupRule) => void;
}

/** The columns of the rules for groups. */
export function groupRuleColumns(of: GroupRuleColumns): Column<GroupRule>[] {
  return [
    { id: 'value', label: text.columns.value, render: (rule) => <Value rule={rule} account={of.account} /> },
    {
      id: 'group',
      label: text.columns.group,
      width: '38%',
      wideOnly: true,
      render: (rule) => (
        <>
          <Target rule={rule} account={of.account} />
          <Problem rule={rule} />
        </>
      ),
    },
    { id: 'users', label: text.columns.users, width: 88, wideOnly: true, align: 'right', render: ({ users }) => users },
    {
      id: 'actions',
      label: text.columns.actions,
      hiddenLabel: true,
      width: 56,
      align: 'right',
      render: (rule) => <RowMenu name={rule.value} actions={actionsOf(rule, of)} />,
    },
  ];
}

function Value({ rule, account }: { rule: GroupRule; account: string }) {
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {rule.value}
      </Text>
      <Text size="xs" c="dimmed">
        {rule.provider_name || rule.provider}
      </Text>
      {/* The column has no room on phones. */}
      <Text size="xs" hiddenFrom="sm" component="div">
        {text.leadsTo('')}
        <Target rule={rule} account={account} />
        <Problem rule={rule} />
      </Text>
    </>
  );
}

function Target({ rule: { group }, account }: { rule: GroupRule; account: string }) {
  return (
    <Anchor component={Link} to={`/groups/${account}/${group.id}`} inherit>
      {group.name}
    </Anchor>
  );
}

function Problem({ rule: { problem } }: { rule: GroupRule }) {
  return problem === null ? null : (
    <Text size="xs" c="var(--state-warn)">
      {text.problems[problem]}
    </Text>
  );
}

function actionsOf(rule: GroupRule, { rules, move, remove }: GroupRuleColumns): RowAction[] {
  return [
    ...(rule === rules[0] ? [] : [{ label: text.up, icon: IconArrowUp, act: () => move(rule, -1) }]),
    ...(rule === rules.at(-1) ? [] : [{ label: text.down, icon: IconArrowDown, act: () => move(rule, 1) }]),
    { label: text.remove, icon: IconTrash, danger: true, act: () => remove(rule) },
  ];
}
