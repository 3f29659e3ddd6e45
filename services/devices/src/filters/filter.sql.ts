import { containing } from '@warren/platform/database/page';
import type { FieldName, Operator } from '@warren/rules/filter/fields';
import type { FieldTerm, Filter } from '@warren/rules/filter/filter';
import { ASCII_FIELDS, asciiLower } from '@warren/rules/filter/match';
import { NEVER } from '@warren/rules/filter/values';
import { FAILED_UPDATES } from './failed.updates.sql.ts';
import { mergeAlternatives, type Factor } from './label.sets.ts';

/** Versions of the agent that the terms of a filter hold for: `devices` compares none itself. */
export type VersionsOf = (term: FieldTerm) => readonly string[];

/** A filter as a condition over `devices d`, and over `device_facts f` if `usesFacts`. */
export interface FilterSql {
  sql: string;
  usesFacts: boolean;
}

/**
 * Compiles a filter. An unknown value meets no comparison, and each negated one: null counts as false, which below a negation has to be
 * written out.
 * @param values the parameters before; those of the filter are appended
 * @param ofFew whether it is for few devices: their labels are looked up one by one, instead of read for all devices
 */
export function filterSql(filter: Filter, values: unknown[], versionsOf: VersionsOf, ofFew = false): FilterSql {
  const compiler = new Compiler(values, versionsOf, ofFew);
  const sql = compiler.condition(filter);
  return { sql, usesFacts: compiler.usesFacts };
}

/** Every link has an epoch. */
const NEVER_CONNECTED = 'NOT d.connected AND d.connection_epoch = 0';
/** Their agents report it rarely, so the time since counts too; what a device reported before it went says nothing. */
const UPTIME = `f.uptime_seconds + CASE WHEN d.connected AND f.reported >= d.status_since
  THEN GREATEST(0, EXTRACT(EPOCH FROM now() - f.reported)) ELSE 0 END`;

interface TextField {
  columns: readonly string[];
  /** `search_text` has it too, and an index. */
  isSearched?: boolean;
}

const TEXTS: Partial<Record<FieldName, TextField>> = {
  name: { columns: [`CASE WHEN d.custom_name = '' THEN d.name ELSE d.custom_name END`], isSearched: true },
  id: { columns: ['d.id::text'] },
  account: { columns: ['d.account_name', 'd.account_id::text'] },
  serial: { columns: ['d.serial'], isSearched: true },
  address: { columns: ['d.private_ip', 'd.public_ip'], isSearched: true },
  os: { columns: ['d.os'] },
  kernel: { columns: ['d.kernel'] },
  arch: { columns: ['d.arch'] },
  model: { columns: ['d.model'] },
  agent: { columns: ['d.agent_version'] },
};

/** What is true for the choice that is named. */
const CHOICES: Partial<Record<FieldName, { sql: string; yes: string }>> = {
  status: { sql: 'd.connected', yes: 'connected' },
  console: { sql: 'd.ssh_enabled', yes: 'on' },
  web: { sql: 'd.http_enabled', yes: 'on' },
  failed_update: { sql: `d.id IN (SELECT u.device_id FROM (${FAILED_UPDATES}) u)`, yes: 'yes' },
};

/** Numbers of devices, over `devices d` and `device_facts f`: null where the device has not reported it. */
export const NUMBERS: Partial<Record<FieldName, string>> = {
  cores: 'NULLIF(d.cpu_cores, 0)',
  ram: 'NULLIF(d.total_ram, 0)',
  disk_size: 'NULLIF(d.total_disk, 0)',
  uptime: UPTIME,
  cpu: 'f.cpu_usage',
  memory: '100 * f.used_ram::float8 / NULLIF(d.total_ram, 0)',
  disk: '100 * f.used_disk::float8 / NULLIF(d.total_disk, 0)',
  temperature: 'f.temperature',
};

const TURNED: Partial<Record<Operator, Operator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

class Compiler {
  usesFacts = false;
  private readonly values: unknown[];
  private readonly versionsOf: VersionsOf;
  private readonly ofFew: boolean;
  /** Negations around the present term. */
  private negations = 0;

  constructor(values: unknown[], versionsOf: VersionsOf, ofFew: boolean) {
    this.values = values;
    this.versionsOf = versionsOf;
    this.ofFew = ofFew;
  }

  condition(filter: Factor): string {
    switch (filter.kind) {
      case 'and':
        return this.every(filter.terms);
      case 'or':
        return this.some(filter.terms);
      case 'not':
        return this.below(() => `NOT ${this.condition(filter.term)}`);
      case 'word':
        return `(d.search_text LIKE ${this.parameter(containing(filter.text.toLowerCase()))})`;
      case 'labelled':
        return this.labelled(filter.key);
      case 'label':
        return negated(filter.operator, this.label(filter));
      case 'label_set':
        return this.labelled(filter.key, `AND l.value = ANY(${this.parameter(filter.texts.map(withoutNul))}::text[])`);
      case 'field':
        return this.field(filter);
    }
  }

  private every(terms: readonly Factor[]): string {
    return terms.length === 0 ? 'true' : `(${terms.map((term) => this.condition(term)).join(' AND ')})`;
  }

  private some(terms: readonly Filter[]): string {
    const alternatives = mergeAlternatives(terms).map((factors) => this.every(factors));
    if (alternatives.length === 0) return 'true';
    return alternatives.length === 1 ? alternatives.join('') : `(${alternatives.join(' OR ')})`;
  }

  private below(compile: () => string): string {
    this.negations++;
    const sql = compile();
    this.negations--;
    return sql;
  }

  private label({ key, operator, text }: { key: string; operator: Operator; text: string }): string {
    if (operator.endsWith('~'))
      return this.labelled(key, `AND lower(l.value) LIKE ${this.parameter(containing(asciiLower(text)))}`);
    return this.labelled(key, `AND l.value = ${this.parameter(withoutNul(text))}`);
  }

  /** For many devices it is not correlated, so the labels are read once, wherever in a condition it stands. */
  private labelled(key: string, more = ''): string {
    const ofKey = `l.key = ${this.parameter(key)} ${more}`;
    return this.ofFew
      ? `(EXISTS (SELECT FROM device_labels l WHERE l.device_id = d.id AND ${ofKey}))`
      : `(d.id IN (SELECT l.device_id FROM device_labels l WHERE ${ofKey}))`;
  }

  private field(term: FieldTerm): string {
    const { field, operator, text, value } = term;
    if (field === 'throttled') return this.throttled(term);
    if (field === 'agent' && !operator.endsWith('~'))
      return `(d.agent_version = ANY(${this.parameter(this.versionsOf(term))}::text[]))`;
    const texts = TEXTS[field];
    if (texts) return this.text(field, texts, operator, text);
    const choice = CHOICES[field];
    if (choice) return (value === choice.yes) !== (operator === '!=') ? `(${choice.sql})` : `(NOT ${choice.sql})`;
    if (field === 'created') return this.moment('d.created', term);
    return field === 'last_seen' ? this.lastSeen(term) : this.number(term);
  }

  private text(field: FieldName, { columns, isSearched = false }: TextField, operator: Operator, text: string): string {
    const isAscii = ASCII_FIELDS.has(field);
    const plain = isAscii ? asciiLower(text) : text.toLowerCase();
    const contains = operator.endsWith('~');
    const value = this.parameter(contains ? containing(plain) : withoutNul(plain));
    const collation = isAscii ? ' COLLATE "C"' : '';
    const compared = columns.map((column) => `lower(${column}${collation}) ${contains ? 'LIKE' : '='} ${value}`);
    if (!isSearched) return negated(operator, compared.join(' OR '));
    const searched = this.parameter(containing(text.toLowerCase()));
    return negated(operator, `d.search_text LIKE ${searched} AND (${compared.join(' OR ')})`);
  }

  private throttled({ operator, value }: FieldTerm): string {
    this.usesFacts = true;
    const isNow = `(f.throttled & 15 <> 0) = ${String(value === 'yes')}`;
    return negated(operator, operator === '=' ? this.known(isNow) : `COALESCE(${isNow}, false)`);
  }

  private number({ field, operator, value }: FieldTerm): string {
    const sql = NUMBERS[field] ?? 'NULL::float8';
    if (sql.includes('f.')) this.usesFacts = true;
    const parameter = `${this.parameter(value)}::float8`;
    if (operator === '!=') return `((${sql}) IS DISTINCT FROM ${parameter})`;
    return `(${this.known(`(${sql}) ${operator} ${parameter}`)})`;
  }

  /** Null is as good as false in a WHERE, where the planner sees through the bare comparison; not below a negation. */
  private known(comparison: string): string {
    return this.negations === 0 ? comparison : `COALESCE(${comparison}, false)`;
  }

  /** What is connected is seen now. As a CASE no index would serve it. */
  private lastSeen(term: FieldTerm): string {
    if (term.value === NEVER) return negated(term.operator, NEVER_CONNECTED);
    const before = this.moment('d.status_since', term);
    return holdsNow(term) ? `(d.connected OR NOT d.connected AND ${before})` : `(NOT d.connected AND ${before})`;
  }

  /** An age grows to the past: younger than two hours is later than two hours ago. */
  private moment(sql: string, { operator, value }: FieldTerm): string {
    if (typeof value !== 'object') return 'false';
    if ('at' in value) return `(${sql} ${operator} ${this.parameter(new Date(value.at))}::timestamptz)`;
    const age = `make_interval(secs => ${this.parameter(value.age)}::float8)`;
    return `(${sql} ${TURNED[operator] ?? operator} now() - ${age})`;
  }

  private parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** Tells whether a term of a time holds for the present moment. */
function holdsNow({ operator, value }: FieldTerm): boolean {
  if (typeof value !== 'object') return false;
  const [age, isOlder] =
    'at' in value ? [Date.now() - value.at, operator.startsWith('<')] : [value.age * 1_000, operator.startsWith('>')];
  if (age === 0) return operator.endsWith('=');
  return age > 0 !== isOlder;
}

function negated(operator: Operator, sql: string): string {
  return operator.startsWith('!') ? `(NOT (${sql}))` : `(${sql})`;
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
