import { ActionIcon, Group, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { usage as text } from '../../lib/messages/usage.ts';
import { keptMonths, monthBeside, monthName } from './month.ts';

interface MonthPickerProps {
  month: string;
  now: number;
  onChoose: (month: string) => void;
}

/** The shown month, with a button to each side. */
export function MonthPicker({ month, now, onChoose }: MonthPickerProps) {
  const kept = keptMonths(now);
  const months = kept.includes(month) ? kept : [month, ...kept];
  const step = (label: string, by: number, Icon: typeof IconChevronLeft) => {
    const beside = monthBeside(month, by);
    return (
      <ActionIcon
        variant="default"
        size={36}
        aria-label={label}
        disabled={!kept.includes(beside)}
        onClick={() => onChoose(beside)}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    );
  };
  return (
    <Group gap={4} wrap="nowrap">
      {step(text.before, -1, IconChevronLeft)}
      <NativeSelect
        aria-label={text.month}
        value={month}
        onChange={(event) => onChoose(event.currentTarget.value)}
        data={months.map((value) => ({ value, label: monthName(value) }))}
      />
      {step(text.after, 1, IconChevronRight)}
    </Group>
  );
}
