import { expect, it } from '@jest/globals';
import { searchText } from './text.search.ts';

const NEWEST = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
const ANY = { accountId: undefined, from: undefined, to: undefined, actorId: '', actorEmail: '', targetId: '' };
const NONE = { ...ANY, actions: [], outcomes: [], requestId: '' };

/** Searches two months without a match. @returns the statements */
async function statementsOf(text: string): Promise<string[]> {
  const statements: string[] = [];
  let places = 0;
  const sql = {
    query: (statement: string) => {
      statements.push(statement);
      const isPlace = statement.includes('OFFSET $');
      return Promise.resolve(isPlace && places++ < 2 ? [{ id: NEWEST }] : []);
    },
  };
  await searchText(sql as never, { ...NONE, text }, { limit: 5, budgetMs: 60_000 });
  return statements;
}

it.each(['@@@', '---', 'a--', '% %'])('reads events in order for %j, which has no trigram', async (text) => {
  expect((await statementsOf(text)).filter((one) => one.includes('searched LIKE'))).toEqual([]);
});

it.each(['pump-7', '10.0.0.1', 'a-b', 'grün', '植木鉢'])('looks %j up in the index of trigrams', async (text) => {
  expect((await statementsOf(text)).filter((one) => one.includes('searched LIKE'))).not.toEqual([]);
});
