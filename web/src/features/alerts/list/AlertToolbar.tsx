import { Button, SegmentedControl, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { alertsApi } from '../../../lib/api/alerts.ts';
import { alerts } from '../../../lib/messages/alerts.ts';
import { SEVERITIES } from '../../../ui/Severity.tsx';
import { useAlertScope } from '../useAlertScope.ts';
import classes from './AlertsPage.module.css';
import type { AlertFilters } from './useAlertFilters.ts';

const text = alerts.list;
/** The choice that filters nothing. */
const ANY = '';

interface AlertToolbarProps {
  filters: AlertFilters;
  /** The device whose alerts alone are shown, once it is known. */
  deviceName: string | undefined;
  onChange: (change: Partial<Record<keyof AlertFilters, string | null>>) => void;
}

/** Open or past alerts, and which of them. */
export function AlertToolbar({ filters, deviceName, onChange }: AlertToolbarProps) {
  const { query, account } = useAlertScope();
  // With the alerts of all accounts, each default rule would be there once for each of them.
  const { data } = alertsApi.useListAlertRulesQuery(query, { skip: query.account === undefined });
  const rules = (data?.rules ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={classes.toolbar}>
      <SegmentedControl
        size="sm"
        aria-label={text.state}
        value={filters.state}
        onChange={(state) => onChange({ state, acknowledged: null })}
        data={[
          { value: 'open', label: text.states.open },
          { value: 'closed', label: text.states.closed },
        ]}
      />
      <Choice
        label={alerts.severity}
        any={text.anySeverity}
        value={filters.severity}
        data={SEVERITIES.map((value) => ({ value, label: alerts.severities[value] }))}
        onChange={(severity) => onChange({ severity })}
      />
      {rules.length > 0 ? (
        <Choice
          key={account}
          label={text.rule}
          any={text.anyRule}
          value={filters.rule}
          data={rules}
          onChange={(rule) => onChange({ rule })}
        />
      ) : null}
      {filters.state === 'open' ? (
        <Choice
          label={text.acknowledged}
          any={text.anyAcknowledgement}
          value={filters.acknowledged}
          data={[
            { value: 'false', label: text.unacknowledged },
            { value: 'true', label: text.onlyAcknowledged },
          ]}
          onChange={(acknowledged) => onChange({ acknowledged })}
        />
      ) : null}
      {filters.device === null ? null : (
        <Button
          variant="default"
          fw={400}
          rightSection={<IconX size={14} aria-hidden />}
          title={text.allDevices}
          onClick={() => onChange({ device: null })}
        >
          {deviceName === undefined ? text.ofOneDevice : text.ofDevice(deviceName)}
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string | null;
  data: { value: string; label: string }[];
  onChange: (value: string | null) => void;
}

function Choice({ label, any, value, data, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      className={classes.choice}
      data={[{ value: ANY, label: any }, ...data]}
      value={value ?? ANY}
      allowDeselect={false}
      checkIconPosition="right"
      onChange={(next) => onChange(next === ANY ? null : next)}
    />
  );
}
