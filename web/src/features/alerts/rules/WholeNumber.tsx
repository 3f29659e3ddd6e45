import { NumberInput } from '@mantine/core';

interface WholeNumberProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
}

/** A whole number from 1, in a sentence. */
export function WholeNumber({ label, value, onChange }: WholeNumberProps) {
  return (
    <NumberInput
      aria-label={label}
      w={84}
      min={1}
      max={99_999}
      clampBehavior="blur"
      allowDecimal={false}
      allowNegative={false}
      value={value}
      onChange={(given) => {
        const whole = Math.trunc(Number(given));
        if (given !== '' && whole > 0) onChange(whole);
      }}
    />
  );
}
