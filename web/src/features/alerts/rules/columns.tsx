import { Anchor, Badge, Tooltip } from '@mantine/core';
import { IconPencil, IconRestore, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { alertsApi } from '../../../lib/api/alerts.ts';
import type { AlertRule } from '../../../lib/api/types.ts';
import { alertRules as text } from '../../../lib/messages/alerts.ts';
import { number } from '../../../lib/numbers.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { EnableSwitch } from '../../../ui/EnableSwitch.tsx';
import { RowMenu, type RowAction } from '../../../ui/RowMenu.tsx';
import { Severity } from '../../../ui/Severity.tsx';
import { canReset, sentenceOf } from './rule-form.ts';
import classes from './rules.module.css';

interface RuleColumnsOptions {
  /** The list of alerts in the same account. */
  alerts: string;
  /** Null for people who may not change rules. */
  actions: {
    edit: (rule: AlertRule) => void;
    reset: (rule: AlertRule) => void;
    remove: (rule: AlertRule) => void;
  } | null;
}

/** The columns of the list of rules. */
export function ruleColumns({ alerts, actions }: RuleColumnsOptions): Column<AlertRule>[] {
  const menu: Column<AlertRule> = {
    id: 'actions',
    label: text.columns.actions,
    hiddenLabel: true,
    width: 56,
    align: 'right',
    render: (rule) => <RowMenu name={rule.name} actions={actions ? actionsOf(rule, actions) : []} />,
  };
  return [
    {
      id: 'on',
      label: text.columns.on,
      width: 'var(--switch-width)',
      render: (rule) => <Enabled rule={rule} readOnly={!actions} />,
    },
    { id: 'rule', label: text.columns.rule, render: (rule) => <Rule rule={rule} onOpen={actions?.edit} /> },
    {
      id: 'severity',
      label: text.columns.severity,
      width: 'var(--severity-width)',
      wideOnly: true,
      render: ({ severity }) => <Severity value={severity} />,
    },
    {
      id: 'devices',
      label: text.columns.devices,
      width: '26%',
      wideOnly: true,
      render: ({ filter }) =>
        filter === '' ? (
          <span className={classes.quiet}>{text.allDevices}</span>
        ) : (
          <span className="mono" title={filter}>
            {filter}
          </span>
        ),
    },
    {
      id: 'open',
      label: text.columns.open,
      width: 'var(--open-width)',
      align: 'right',
      render: ({ id, name, openAlerts }) =>
        openAlerts === 0 ? (
          <span className={classes.quiet}>0</span>
        ) : (
          <Anchor
            component={Link}
            to={`${alerts}${alerts.includes('?') ? '&' : '?'}rule=${id}`}
            size="sm"
            aria-label={text.openOf(openAlerts, name)}
          >
            {number(openAlerts)}
          </Anchor>
        ),
    },
    ...(actions ? [menu] : []),
  ];
}

function actionsOf(rule: AlertRule, { edit, reset, remove }: NonNullable<RuleColumnsOptions['actions']>): RowAction[] {
  return [
    { label: text.edit, icon: IconPencil, act: () => edit(rule) },
    ...(canReset(rule) ? [{ label: text.reset, icon: IconRestore, act: () => reset(rule) }] : []),
    ...(rule.preset === null ? [{ label: text.remove, icon: IconTrash, danger: true, act: () => remove(rule) }] : []),
  ];
}

function Enabled({ rule: { id, name, enabled }, readOnly }: { rule: AlertRule; readOnly: boolean }) {
  const [change, { isLoading }] = alertsApi.useChangeAlertRuleMutation();
  return (
    <EnableSwitch
      label={text.enable(name)}
      enabled={enabled}
      disabled={readOnly || isLoading}
      change={(on) => change({ id, changeAlertRule: { enabled: on } }).unwrap()}
    />
  );
}

function Rule({ rule, onOpen }: { rule: AlertRule; onOpen: ((rule: AlertRule) => void) | undefined }) {
  return (
    <div className={classes.rule}>
      <div className={classes.name}>
        {onOpen ? (
          <Anchor component="button" type="button" size="sm" className={classes.word} onClick={() => onOpen(rule)}>
            {rule.name}
          </Anchor>
        ) : (
          <span className={classes.word}>{rule.name}</span>
        )}
        {canReset(rule) ? (
          <Tooltip label={text.changedHelp} multiline w={260}>
            <Badge variant="default" size="sm" tt="none" fw={400} radius="sm" className={classes.badge}>
              {text.changed}
            </Badge>
          </Tooltip>
        ) : null}
      </div>
      <div className={classes.note}>
        <span className={classes.severity}>
          <Severity value={rule.severity} />
          {' · '}
        </span>
        {sentenceOf(rule)}
      </div>
    </div>
  );
}
