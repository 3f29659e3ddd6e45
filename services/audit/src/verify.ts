#!/usr/bin/env node
import 'reflect-metadata';
import { databaseConfig } from '@warren/platform/config/common';
import { loadConfig } from '@warren/platform/config/load';
import { dataSourceOptions } from '@warren/platform/database/database.options';
import { SecretBox } from '@warren/platform/secrets/secret.box';
import { guarded } from '@warren/platform/service/guarded';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { readChainKeys } from './chain/chain.keys.ts';
import type { Checkpoint } from './chain/chain.ts';
import { chainConfig, recordingsConfig } from './config.ts';
import { databaseOptions } from './database.ts';
import { readCheckpoints } from './chain/checkpoint.log.ts';
import { openStore } from './recordings/store/open.store.ts';
import { RecordingKeys } from './recordings/store/recording.keys.ts';
import { RecordingStore } from './recordings/store/recording.store.ts';
import { RecordingVerifier } from './recordings/verify/recording.verifier.ts';
import { recordingIds } from './recordings/verify/verify.sql.ts';
import { ChunkReader } from './recordings/view/chunk.reader.ts';
import { Verifier } from './verify/verifier.ts';

const USAGE = 'usage: warren-audit verify [--account ID] [--checkpoints FILE]';

/** Verifies the chains of all accounts, or of one. Ends with 1 if something is wrong. */
async function verifyAll(
  source: DataSource,
  account: string | undefined,
  outside: readonly Checkpoint[],
): Promise<void> {
  const config = loadConfig(chainConfig, process.env);
  const keys = readChainKeys(config);
  if (keys.known.size === 0) console.warn('AUDIT_KEY is not set: signatures of checkpoints are not verified');
  const verifier = new Verifier(source, keys);
  let [events, broken] = [0, 0];
  const accounts = account ? [account] : await verifier.accounts();
  for (const accountId of accounts) {
    const found = await verifier.verify(accountId, outside);
    events += found.events;
    if (found.problems.length > 0) broken++;
    for (const { sequence, what } of found.problems) console.log(`${accountId} ${sequence}: ${what}`);
  }
  console.log(
    `verified ${events} events of ${accounts.length} accounts: ${broken === 0 ? 'whole' : `${broken} broken`}`,
  );
  if (broken > 0) process.exitCode = 1;
}

const PAGE = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Verifies the recordings of all accounts, or of one. Ends with 1 if something is wrong. */
async function verifyRecordings(source: DataSource, account: string | undefined): Promise<void> {
  const objects = openStore(loadConfig(recordingsConfig, process.env));
  if (!objects) return console.warn('no store of recordings is set: recordings are not verified');
  const store = new RecordingStore(source, objects);
  await store.check();
  if (store.problem !== undefined) throw new Error(store.problem);
  // Nothing is decrypted, so no key is needed.
  const reader = new ChunkReader(source, store, new RecordingKeys(source, new SecretBox([])));
  const verifier = new RecordingVerifier(source, reader, readChainKeys(loadConfig(chainConfig, process.env)));
  let [count, broken] = [0, 0];
  for (let after: string | undefined = FIRST; after !== undefined;) {
    const page: { id: string; accountId: string }[] = await recordingIds(source, account, after, PAGE);
    for (const one of page) {
      const problems = (await verifier.verify(one)) ?? [];
      count++;
      if (problems.length > 0) broken++;
      for (const { sequence, what } of problems)
        console.log(
          `${one.accountId} recording ${one.id}${sequence === undefined ? '' : ` chunk ${sequence}`}: ${what}`,
        );
    }
    after = page.at(-1)?.id;
  }
  console.log(`verified ${count} recordings: ${broken === 0 ? 'whole' : `${broken} broken`}`);
  if (broken > 0) process.exitCode = 1;
}

await guarded(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { account: { type: 'string' }, checkpoints: { type: 'string' } },
  });
  const account = z.uuid().optional().safeParse(values.account);
  if (positionals.join() !== 'verify' || !account.success) {
    console.error(USAGE);
    process.exitCode = 64;
    return;
  }
  const outside = values.checkpoints ? readCheckpoints(await readFile(values.checkpoints, 'utf8')) : [];
  const source = new DataSource(dataSourceOptions(databaseOptions(loadConfig(databaseConfig, process.env))));
  await source.initialize();
  try {
    await verifyAll(source, account.data, outside);
    await verifyRecordings(source, account.data);
  } finally {
    await source.destroy();
  }
});
