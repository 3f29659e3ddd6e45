import type { KnownValues } from '@warren/rules/filter/complete';
import type { ReactNode } from 'react';
import { FilterInput } from './FilterInput.tsx';

interface FilterFieldProps {
  label: string;
  description?: string;
  placeholder?: string;
  icon?: ReactNode;
  required?: boolean;
  value: string;
  /** Undefined for an expression over metrics. */
  known: KnownValues | undefined;
  onChange: (text: string) => void;
  onFocus?: () => void;
  problem?: string | undefined;
}

/** A filter, or an expression over metrics, as a field of a form, which has every text that is typed. */
export function FilterField(props: FilterFieldProps) {
  const { label, description, placeholder, icon, required, value, known, onChange, onFocus, problem } = props;
  return (
    <FilterInput
      field={{ label, description, placeholder, required, onFocus, ...(icon !== undefined && { leftSection: icon }) }}
      text={value}
      known={known}
      onText={onChange}
      problem={problem}
    />
  );
}
