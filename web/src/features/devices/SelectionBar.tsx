import { Button } from '@mantine/core';
import { IconArrowsDiff, IconTags } from '@tabler/icons-react';
import { Link } from 'react-router';
import { compare } from '../../lib/messages/compare.ts';
import { fleet } from '../../lib/messages/fleet.ts';
import { SelectionFrame } from '../../ui/SelectionFrame.tsx';
import type { BulkAction } from './bulk/bulk-actions.ts';
import { BulkMenu } from './bulk/BulkMenu.tsx';
import type { DeviceSelection } from './useSelection.ts';

interface SelectionBarProps {
  selection: DeviceSelection;
  /** Devices that the list finds. */
  total: number;
  /** Undefined for people who may not. */
  onLabel: (() => void) | undefined;
  actions: readonly BulkAction[];
  onAction: (action: BulkAction) => void;
}

/** What can be done with the selected devices; not there without any. */
export function SelectionBar({ selection, total, onLabel, actions, onAction }: SelectionBarProps) {
  const { count, isAll } = selection;
  if (count === 0) return null;
  return (
    <SelectionFrame
      label={fleet.selection.bar}
      selected={isAll ? fleet.selection.allSelected(total) : fleet.selection.count(count)}
      more={
        isAll || count >= total ? null : (
          <Button size="compact-sm" variant="subtle" onClick={selection.selectAll}>
            {fleet.selection.all(total)}
          </Button>
        )
      }
      onClear={selection.clear}
    >
      {onLabel ? (
        <Button size="compact-sm" variant="default" leftSection={<IconTags size={15} aria-hidden />} onClick={onLabel}>
          {fleet.labels.edit}
        </Button>
      ) : null}
      {!isAll && count === 2 ? (
        <Button
          component={Link}
          to={`/devices/compare/${selection.ids[0]}?with=${selection.ids[1]}`}
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowsDiff size={15} aria-hidden />}
        >
          {compare.action}
        </Button>
      ) : null}
      {actions.length > 0 ? <BulkMenu actions={actions} count={count} onAction={onAction} /> : null}
    </SelectionFrame>
  );
}
