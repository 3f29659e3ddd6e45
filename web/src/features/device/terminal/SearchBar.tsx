import { ActionIcon, CloseButton, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { messages } from '../../../lib/messages.ts';
import type { TerminalControl } from './useTerminal.ts';
import classes from './Terminal.module.css';

const text = messages.terminal;

const decorations = {
  matchBackground: '#e6b455',
  matchOverviewRuler: '#b98a2c',
  activeMatchBackground: '#f08a3c',
  activeMatchColorOverviewRuler: '#f08a3c',
};

/** Searches the terminal's output: Enter for the next match, Shift+Enter for the previous one, Escape to close. */
export function SearchBar({ terminal }: { terminal: TerminalControl }) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ resultIndex: number; resultCount: number } | null>(null);
  const search = terminal.screen()?.search;

  useEffect(() => {
    const listening = search?.onDidChangeResults(setFound);
    return () => {
      listening?.dispose();
      search?.clearDecorations();
    };
  }, [search]);

  const next = () => search?.findNext(query, { decorations });
  const previous = () => search?.findPrevious(query, { decorations });
  const close = () => {
    terminal.setSearching(false);
    terminal.screen()?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    if (event.key !== 'Enter') return;
    if (event.shiftKey) previous();
    else next();
  };
  const type = (value: string) => {
    setQuery(value);
    if (value === '') search?.clearDecorations();
    else search?.findNext(value, { incremental: true, decorations });
  };
  return (
    <div className={classes.search} role="search">
      <TextInput
        size="xs"
        aria-label={text.searchLabel}
        placeholder={text.searchLabel}
        data-autofocus
        autoFocus
        value={query}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <span className={`mono ${classes.matches}`} role="status">
        {query === '' ? '' : matches(found)}
      </span>
      <ActionIcon variant="subtle" color="gray" aria-label={text.searchPrevious} onClick={previous}>
        <IconChevronUp size={16} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={text.searchNext} onClick={next}>
        <IconChevronDown size={16} />
      </ActionIcon>
      <CloseButton size="sm" aria-label={messages.common.close} onClick={close} />
    </div>
  );
}

function matches(found: { resultIndex: number; resultCount: number } | null): string {
  if (!found || found.resultCount === 0) return text.searchNone;
  return text.searchCount(found.resultIndex + 1, found.resultCount);
}
