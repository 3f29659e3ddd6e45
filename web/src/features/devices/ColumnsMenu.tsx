import { ActionIcon, Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { fleet } from '../../lib/messages/fleet.ts';
import { columnLabel, OPTIONAL_COLUMNS, USUAL_COLUMNS, type OptionalColumn } from './columns.tsx';

interface ColumnsMenuProps {
  operator: boolean;
  chosen: readonly OptionalColumn[];
  onChoose: (columns: readonly OptionalColumn[]) => void;
}

/** Chooses the columns of the devices list. */
export function ColumnsMenu({ operator, chosen, onChoose }: ColumnsMenuProps) {
  const offered = OPTIONAL_COLUMNS.filter((id) => id !== 'account' || operator);
  const choose = (id: OptionalColumn, on: boolean) =>
    onChoose(OPTIONAL_COLUMNS.filter((other) => (other === id ? on : chosen.includes(other))));
  return (
    <Popover position="bottom-end" withArrow trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={36} aria-label={fleet.columns.choose} title={fleet.columns.choose}>
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={fleet.columns.choose}>
        <Stack gap={8}>
          {offered.map((id) => (
            <Checkbox
              key={id}
              size="xs"
              label={columnLabel(id)}
              checked={chosen.includes(id)}
              onChange={(event) => choose(id, event.currentTarget.checked)}
            />
          ))}
          <Button size="compact-sm" variant="subtle" onClick={() => onChoose(USUAL_COLUMNS)}>
            {fleet.columns.reset}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
