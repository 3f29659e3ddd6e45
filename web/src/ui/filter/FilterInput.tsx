import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { completeExpression, parseExpression } from '@warren/rules/expressions';
import { completeFilter, type Completion, type KnownValues } from '@warren/rules/filter/complete';
import { FILTER_LIMITS, type FilterError, type ParsedFilter } from '@warren/rules/filter/filter';
import { parseFilter, parseReferring } from '@warren/rules/filter/parse';
import { useEffect, useRef, useState } from 'react';
import { fleet } from '../../lib/messages/fleet.ts';
import { inMain } from '../in-main.ts';
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
  /** What completes a filter; undefined for an expression over metrics. */
  known: KnownValues | undefined;
  onText: (text: string) => void;
  /** Enter was pressed, or the text was cleared. */
  onApply?: (text: string) => void;
  /** What is wrong besides the grammar. */
  problem?: string | undefined;
  /** It is in the page, not in a dialog over it. */
  inPage?: boolean;
}

/** A text field for a filter, or for an expression over metrics: completes it, and underlines the part that is wrong. */
export function FilterInput({ field, text, known, onText, onApply, problem, inPage = false }: FilterInputProps) {
  const { className, ...attributes } = field;
  const [caret, setCaret] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const at = Math.min(caret, text.length);
  const completions = combobox.dropdownOpened
    ? known
      ? completeFilter(text, at, known)
      : completeExpression(text, at)
    : [];
  const isChoosing = completions.length > 0;
  const error = useSettledError(text, { parse: parserOf(known), isChoosing });

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
    <Combobox
      store={combobox}
      onOptionSubmit={complete}
      withinPortal
      position="bottom-start"
      width={320}
      {...(inPage ? inMain() : {})}
    >
      {/* Completions open below the field's error, not over it. */}
      <Combobox.DropdownTarget>
        <div className={className}>
          <Combobox.EventsTarget withExpandedAttribute>
            <TextInput
              leftSection={<IconFilter size={16} aria-hidden />}
              {...attributes}
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
                  <CloseButton
                    size="sm"
                    aria-label={fleet.filter.clear}
                    onClick={() => (change('', 0), onApply?.(''))}
                  />
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
          </Combobox.EventsTarget>
        </div>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={!isChoosing}>
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

function parserOf(known: KnownValues | undefined): (text: string) => ParsedFilter<unknown> {
  if (!known) return parseExpression;
  return known.saved ? parseReferring : parseFilter;
}

/** What is wrong with a text, once typing has paused. An error waits while a completion can be chosen; one that is shown stays. */
function useSettledError(
  text: string,
  { parse, isChoosing }: { parse: ReturnType<typeof parserOf>; isChoosing: boolean },
): FilterError | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (isChoosing) return undefined;
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isChoosing]);
  const parsed = parse(text);
  return settled === text && !parsed.ok ? parsed.errors[0] : undefined;
}

/** Puts a completion in; a field or label waits for its operator, and a value for the next term. */
function completed(text: string, { text: put, from, to }: Completion): { next: string; at: number } {
  const isName = !/[=~<>]\s*$/.test(text.slice(0, from));
  const isKeyword = put === 'or' || put === 'not' || put.startsWith('in:');
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
