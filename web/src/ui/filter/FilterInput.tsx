import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { completeFilter, type Completion, type KnownValues } from '@warren/rules/filter/complete';
import { FILTER_LIMITS, type FilterError } from '@warren/rules/filter/filter';
import { parseFilter } from '@warren/rules/filter/parse';
import { useRef, useState } from 'react';
import { fleet } from '../../lib/messages/fleet.ts';
import classes from './FilterBox.module.css';

/** Typing has paused: what is wrong now is not just unfinished. */
const PAUSE_MS = 700;

type Field = Pick<
  TextInputProps,
  'label' | 'aria-label' | 'description' | 'placeholder' | 'className' | 'required' | 'leftSection' | 'onFocus'
>;

interface FilterInputProps {
  /** How the text field looks, and what it is called. */
  field: Field & { 'data-page-search'?: boolean };
  text: string;
  known: KnownValues;
  onText: (text: string) => void;
  /** Enter was pressed, or the text was cleared. */
  onApply?: (text: string) => void;
  /** What is wrong besides the grammar. */
  problem?: string | undefined;
}

/** A text field for a filter: completes it, and underlines the part that is wrong. */
export function FilterInput({ field, text, known, onText, onApply, problem }: FilterInputProps) {
  const [caret, setCaret] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const error = useSettledError(text);
  const completions = combobox.dropdownOpened ? completeFilter(text, Math.min(caret, text.length), known) : [];

  const change = (next: string, at: number) => {
    onText(next);
    setCaret(at);
    combobox.openDropdown();
    combobox.resetSelectedOption();
  };
  const complete = (index: string) => {
    const completion = completions[Number(index)];
    if (!completion) return;
    const { next, at } = completed(text, completion);
    change(next, at);
    // After React has written the new value.
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  };
  return (
    <Combobox store={combobox} onOptionSubmit={complete} withinPortal position="bottom-start" width={320}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          leftSection={<IconFilter size={16} aria-hidden />}
          {...field}
          ref={input}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          maxLength={FILTER_LIMITS.text}
          classNames={{ input: classes.input }}
          value={text}
          error={error?.message ?? problem}
          rightSection={
            text === '' ? null : (
              <CloseButton size="sm" aria-label={fleet.filter.clear} onClick={() => (change('', 0), onApply?.(''))} />
            )
          }
          inputContainer={(children) => (
            <div className={classes.container}>
              {children}
              {error ? <Underline text={text} error={error} /> : null}
            </div>
          )}
          onChange={(event) => change(event.currentTarget.value, event.currentTarget.selectionStart ?? 0)}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !combobox.dropdownOpened) event.currentTarget.blur();
            if (event.key === 'Enter' && combobox.getSelectedOptionIndex() === -1) {
              combobox.closeDropdown();
              onApply?.(text);
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={completions.length === 0}>
        <Combobox.Options aria-label={fleet.filter.suggestions} mah={280} className={classes.options}>
          {completions.map((completion, index) => (
            <Combobox.Option key={completion.text} value={String(index)} className={classes.option}>
              <span className="mono">{completion.text}</span>
              <span className={classes.hint}>{completion.hint}</span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function useSettledError(text: string): FilterError | undefined {
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const parsed = parseFilter(text);
  return settled === text && !parsed.ok ? parsed.errors[0] : undefined;
}

/** Puts a completion in; a field or label waits for its operator, and a value for the next term. */
function completed(text: string, { text: put, from, to }: Completion): { next: string; at: number } {
  const isName = !/[=~<>]\s*$/.test(text.slice(0, from));
  const isKeyword = put === 'or' || put === 'not';
  const end = isName && !isKeyword ? '' : ' ';
  const before = text.slice(0, from) + put + end;
  return { next: before + text.slice(to).replace(end === '' ? /^$/ : /^\s+/, ''), at: before.length };
}

/** The same text below the field, with a line under the part that is wrong. */
function Underline({ text, error }: { text: string; error: FilterError }) {
  const { from, to } = error;
  return (
    <div className={classes.mirror} aria-hidden>
      {text.slice(0, from)}
      <span className={classes.wrong}>{text.slice(from, to) || '\u00a0'}</span>
    </div>
  );
}
