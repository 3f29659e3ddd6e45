import { ActionIcon, Button, Checkbox, Popover, Stack, Text } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { fleet } from '../../lib/messages/fleet.ts';
import { columnLabel, knownColumns, OPTIONAL_COLUMNS, USUAL_COLUMNS, type DeviceColumn } from './column-ids.ts';
import classes from './ColumnsMenu.module.css';

const text = fleet.columns;

interface ColumnsMenuProps {
  operator: boolean;
  chosen: readonly DeviceColumn[];
  /** Keys of labels, each of which can be a column. */
  labels: readonly string[];
  onOpen: () => void;
  onChoose: (columns: readonly DeviceColumn[]) => void;
}

/** Chooses the columns of the devices list. */
export function ColumnsMenu({ operator, chosen, labels, onOpen, onChoose }: ColumnsMenuProps) {
  const ofDevices = OPTIONAL_COLUMNS.filter((id) => id !== 'account' || operator);
  const ofLabels = knownColumns([...labels.map((key) => `label:${key}`), ...chosen.filter(isOfLabel)]);
  const choose = (id: DeviceColumn, on: boolean) =>
    onChoose(knownColumns(on ? [...chosen, id] : chosen.filter((other) => other !== id)));
  const box = (id: DeviceColumn) => (
    <Checkbox
      key={id}
      size="xs"
      label={columnLabel(id)}
      checked={chosen.includes(id)}
      onChange={(event) => choose(id, event.currentTarget.checked)}
    />
  );
  return (
    <Popover position="bottom-end" withArrow trapFocus returnFocus onOpen={onOpen}>
      <Popover.Target>
        <ActionIcon variant="default" size={36} aria-label={text.choose} title={text.choose}>
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.choose} className={classes.dropdown}>
        <Stack gap={8} role="group" aria-label={text.ofDevices}>
          {ofDevices.map(box)}
        </Stack>
        {ofLabels.length > 0 ? (
          <Stack gap={8} role="group" aria-label={text.ofLabels}>
            <Text size="xs" c="dimmed" fw={600} aria-hidden>
              {text.ofLabels}
            </Text>
            {ofLabels.map(box)}
          </Stack>
        ) : null}
        <Button size="compact-sm" variant="subtle" onClick={() => onChoose(USUAL_COLUMNS)}>
          {text.reset}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

const isOfLabel = (id: DeviceColumn): boolean => id.startsWith('label:');
