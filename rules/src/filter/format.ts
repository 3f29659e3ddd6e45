import { isField } from './fields.ts';
import type { ReferringFilter } from './filter.ts';

/** Writes a filter, so that parsing the text gives the same tree. */
export function formatFilter(filter: ReferringFilter): string {
  switch (filter.kind) {
    case 'and':
      return filter.terms.map((term) => inside(term, term.kind === 'or')).join(' ');
    case 'or':
      return filter.terms.map((term) => inside(term, false)).join(' or ');
    case 'not':
      return `-${inside(filter.term, filter.term.kind === 'and' || filter.term.kind === 'or')}`;
    case 'word':
      return wordText(filter.text);
    case 'labelled':
      return `label:${filter.key}`;
    case 'saved':
      return `in:${filter.key}`;
    case 'label':
      return `${keyText(filter.key)}${filter.operator}${valueText(filter.text)}`;
    case 'field':
      return `${filter.field}${filter.operator}${valueText(filter.text)}`;
  }
}

function inside(filter: ReferringFilter, needsParentheses: boolean): string {
  const text = formatFilter(filter);
  return needsParentheses ? `(${text})` : text;
}

/** A label named like a field is marked as one. */
export function keyText(key: string): string {
  return isField(key) || /^(and|or|not)$/i.test(key) || key.startsWith('label.') ? `label.${key}` : key;
}

function wordText(text: string): string {
  const bare = /^[^\s()"=~<>!-][^\s()"=~<>!]*$/.test(text) && !/^(and|or|not)$/i.test(text);
  return bare && !/^(?:label|in):/.test(text) ? text : quoted(text);
}

/** Writes a value, in quotes if it needs them. */
export function valueText(text: string): string {
  return /^[^\s()"]+$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
}
