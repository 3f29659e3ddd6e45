import { CloseButton } from '@mantine/core';
import type { ReferringFilter } from '@warren/rules/filter/filter';
import { formatFilter } from '@warren/rules/filter/format';
import { parseReferring } from '@warren/rules/filter/parse';
import { fleet } from '../../lib/messages/fleet.ts';
import classes from './FilterBox.module.css';

/** The terms of the applied filter, each with a button that removes it. */
export function FilterChips({ filter, onFilter }: { filter: string; onFilter: (text: string) => void }) {
  const terms = termsOf(filter);
  if (terms.length < 2) return null;
  return (
    <ul className={classes.chips} aria-label={fleet.filter.terms}>
      {terms.map((term, index) => {
        const text = formatFilter(term);
        const others = { kind: 'and', terms: terms.filter((_, other) => other !== index) } as const;
        return (
          <li key={`${index}-${text}`} className={classes.chip}>
            <span className="mono">{text}</span>
            <CloseButton
              size="xs"
              aria-label={fleet.filter.remove(text)}
              onClick={() => onFilter(formatFilter(others))}
            />
          </li>
        );
      })}
    </ul>
  );
}

function termsOf(text: string): ReferringFilter[] {
  const parsed = parseReferring(text);
  if (!parsed.ok) return [];
  return parsed.filter.kind === 'and' ? parsed.filter.terms : [parsed.filter];
}
