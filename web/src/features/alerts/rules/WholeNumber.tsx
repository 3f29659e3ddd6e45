import { NumberInput } from '@mantine/core';

interface WholeNumberProps {
  label: string;
  value: number;
  min?: number;
  onChange: (value: number) => void;
}

/** A whole number in a sentence. */
export function WholeNumber({ label, value, min = 1, onChange }: WholeNumberProps) {
  return (
    <NumberInput
      aria-label={label}
      w={84}
      min={min}
      max={99_999}
      clampBehavior="blur"
      allowDecimal={false}
      allowNegative={false}
      value={value}
      onChange={(given) => {
        const whole = Math.trunc(Number(given));
        if (given !== '' && whole >= min) onChange(whole);
      }}
    />
  );
}
