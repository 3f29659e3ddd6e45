import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

interface Exception {
  /** Under `services`. */
  file: string;
  /** The beginnings of its plain statements. */
  statements: readonly string[];
  why: string;
}

/** Plain statements that stay SQL. */
const EXCEPTIONS: readonly Exception[] = [
  {
    file: 'audit/src/keeping/retention.sql.ts',
    statements: ['UPDATE chains SET removed'],
    why: 'A step of removing events, on a chain that SQL locks.',
  },
  {
    file: 'audit/src/recordings/keep/sweep.sql.ts',
    statements: ['DELETE FROM recording_garbage'],
    why: 'A queue that SQL fills and reads in sets.',
  },
  {
    file: 'audit/src/recordings/manage/hold.sql.ts',
    statements: ['UPDATE recordings SET held_since'],
    why: 'Recordings have no entity: their row is on the hot path.',
  },
  {
    file: 'audit/src/recordings/store/keys.sql.ts',
    statements: ['UPDATE recording_keys SET secret'],
    why: 'Compares and swaps a secret that may be null.',
  },
  {
    file: 'audit/src/recordings/store/rows.sql.ts',
    statements: ['INSERT INTO recording_chunks', 'UPDATE recordings SET ended'],
    why: 'Hot path: each chunk is a prepared statement.',
  },
  {
    file: 'audit/src/streams/delivery/delivery.sql.ts',
    statements: ['UPDATE streams SET claimed_by'],
    why: 'Ends a lease that SQL claims.',
  },
  {
    file: 'devices/src/devices/devices.sql.ts',
    statements: ['DELETE FROM devices'],
    why: 'Devices have no entity: their row is wide and on the hot path.',
  },
  {
    file: 'devices/src/devices/devices.sql.ts',
    statements: [
      'DELETE FROM device_keys',
      'UPDATE device_keys SET device_id',
      'UPDATE device_aliases SET device_id',
      'INSERT INTO device_aliases',
      'DELETE FROM device_machines',
    ],
    why: 'One merge of two devices, with sets of their rows.',
  },
  {
    file: 'devices/src/enrolment/enrolment.sql.ts',
    statements: ['UPDATE enrolment_tokens SET revoked', 'INSERT INTO device_keys', 'UPDATE device_keys SET public_key'],
    why: 'Hot path: many devices enrol at once.',
  },
  {
    file: 'devices/src/labels/labels.sql.ts',
    statements: ['UPDATE devices SET notes'],
    why: 'Devices have no entity.',
  },
  {
    file: 'devices/src/machines/machines.sql.ts',
    statements: ['UPDATE devices SET serial', 'UPDATE devices SET key_shared'],
    why: 'Devices have no entity.',
  },
  {
    file: 'devices/src/rollouts/rollout.changes.sql.ts',
    statements: ['INSERT INTO rollout_devices'],
    why: 'The devices of a rollout change in sets.',
  },
  {
    file: 'fleet/src/alerts/records/rules.sql.ts',
    statements: ['DELETE FROM alert_holds'],
    why: 'A set: all devices of a rule.',
  },
  {
    file: 'fleet/src/notifications/channels/channels.sql.ts',
    statements: ['DELETE FROM notification_changes'],
    why: 'A set: all changes for a channel.',
  },
  {
    file: 'fleet/src/notifications/channels/uses.sql.ts',
    statements: ['DELETE FROM notification_uses'],
    why: 'A set: all counters of an account.',
  },
  {
    file: 'tenancy/src/group-rules/group.rules.sql.ts',
    statements: ['DELETE FROM group_rules'],
    why: 'A set: all rules that lead to a group.',
  },
  {
    file: 'tenancy/src/requests/mails.sql.ts',
    statements: ['DELETE FROM access_mails'],
    why: 'A queue that SQL fills and claims in sets.',
  },
];

/** The rows with an id, or those that name it. `$` stands for any parameter. */
const OF_ONE = String.raw`WHERE (?:\w+\.)?(?:id|\w+_id) = \$(?: AND (?:\w+\.)?\w+ = \$)*$`;
const VALUE = String.raw`(?:\$|'[^']*'|NULL|true|false|now\(\))`;

/** Statements that an entity writes as short and as clear: without sets, joins, locks and results. */
const PLAIN = [
  String.raw`^INSERT INTO \w+ \([^)]*\) VALUES \((?:[^()]|\([^()]*\))*\)$`,
  String.raw`^UPDATE \w+(?: \w+)? SET \w+ = ${VALUE}(?:, \w+ = ${VALUE})* ${OF_ONE}`,
  String.raw`^DELETE FROM \w+(?: \w+)? ${OF_ONE}`,
  String.raw`^SELECT (?:[\w\s,."*{}]+ )?FROM \w+(?: \w+)? ${OF_ONE}`,
].map((expression) => new RegExp(expression));

/** The string and template literals of a source. `{}` stands for what a template inserts. */
function literalsOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      found.push(node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join(''));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.sql.ts', source, ts.ScriptTarget.Latest));
  return found;
}

/** The plain single-record statements of a source. */
function plainIn(source: string): string[] {
  return literalsOf(source)
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => {
      const statement = text.replaceAll(/\$\d+(?:::[\w[\]]+)?/g, '$');
      return PLAIN.some((expression) => expression.test(statement));
    });
}

/** @returns the statements that no exception names, and the exceptions that no statement needs */
function judged(sources: ReadonlyMap<string, string>, exceptions: readonly Exception[]): string[] {
  const plain = [...sources].flatMap(([file, source]) => plainIn(source).map((text) => ({ file, text })));
  const excused = exceptions.flatMap(({ file, statements }) => statements.map((text) => ({ file, text })));
  type Statement = (typeof plain)[number];
  const isExcused = (one: Statement, by: Statement) => one.file === by.file && one.text.startsWith(by.text);
  return [
    ...plain.filter((one) => !excused.some((by) => isExcused(one, by))).map(({ file, text }) => `${file}: ${text}`),
    ...excused
      .filter((by) => !plain.some((one) => isExcused(one, by)))
      .map(({ file, text }) => `${file}: no statement begins with ${text}`),
  ];
}

describe('SQL in *.sql.ts', () => {
  it('leaves single records to entities, with exceptions that are all needed', () => {
    const files = globSync('*/src/**/*.sql.ts', { cwd: join(root, 'services') }).toSorted();
    expect(files.length).toBeGreaterThan(80);
    const sources = new Map(files.map((file) => [file, readFileSync(join(root, 'services', file), 'utf8')]));
    expect([...sources.values()].flatMap(literalsOf).filter((text) => /\bFROM\b/.test(text)).length).toBeGreaterThan(
      300,
    );
    expect(judged(sources, EXCEPTIONS)).toEqual([]);
  });

  it.each([
    "sql.query('INSERT INTO notes (id, text) VALUES ($1, $2)')",
    'sql.query(`INSERT INTO notes (id, expires)\n  VALUES ($1, now() + make_interval(days => $2))`)',
    "sql.query('UPDATE notes SET text = $2, changed = now() WHERE id = $1')",
    "sql.query(`UPDATE notes SET state = 'gone', owner = NULL WHERE account_id = $1 AND id = $2::uuid`)",
    "sql.query('DELETE FROM notes WHERE note_id = $1 AND kind = $2')",
    'sql.query(`SELECT ${COLUMNS} FROM notes n WHERE n.id = $1`)',
    "const FIND = 'SELECT FROM notes WHERE id = $1 AND account_id = $2';",
    "sql.query(isOld ? `SELECT ${of(`a`, 'b')}, text FROM notes WHERE id = $1` : '')",
  ])('is refused for %s', (source) => {
    expect(judged(new Map([['notes/notes.sql.ts', source]]), [])).toEqual([
      expect.stringMatching(/^notes\/notes\.sql\.ts: [A-Z]+ /),
    ]);
  });

  it.each([
    "'INSERT INTO notes (id, text) VALUES ($1, $2) ON CONFLICT DO NOTHING'",
    "'INSERT INTO notes (id, text) VALUES ($1, $2) RETURNING created'",
    "'INSERT INTO notes (id, text) SELECT id, $2 FROM accounts WHERE id = $1'",
    "'UPDATE notes SET uses = uses - 1 WHERE id = $1'",
    "'UPDATE notes SET text = $2 WHERE id = ANY($1::uuid[])'",
    "'DELETE FROM notes WHERE id = $1 AND expires < now()'",
    "'SELECT id, text FROM notes WHERE id = $1 FOR UPDATE'",
    "'SELECT count(*) FROM notes WHERE account_id = $1'",
    "'SELECT n.id FROM notes n JOIN accounts a ON a.id = n.account_id WHERE n.id = $1'",
    "// `DELETE FROM notes WHERE id = $1` isn't a literal here\n'SELECT now()'",
  ])('passes for %s', (source) => {
    expect(judged(new Map([['notes/notes.sql.ts', source]]), [])).toEqual([]);
  });

  it('is excused in the named file only, and each exception has to be needed', () => {
    const statement = 'DELETE FROM notes WHERE id = $1';
    const sources = new Map(['a.sql.ts', 'b.sql.ts'].map((file) => [file, `'${statement}'`]));
    const statements = ['DELETE FROM notes', 'UPDATE notes'];
    expect(judged(sources, [{ file: 'a.sql.ts', statements, why: '' }])).toEqual([
      `b.sql.ts: ${statement}`,
      'a.sql.ts: no statement begins with UPDATE notes',
    ]);
  });
});
