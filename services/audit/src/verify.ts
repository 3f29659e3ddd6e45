#!/usr/bin/env node
import 'reflect-metadata';
import { databaseConfig } from '@warren/platform/config/common';
import { loadConfig } from '@warren/platform/config/load';
import { dataSourceOptions } from '@warren/platform/database/database.options';
import { guarded } from '@warren/platform/service/guarded';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { readChainKeys } from './chain/chain.keys.ts';
import type { Checkpoint } from './chain/chain.ts';
import { chainConfig } from './config.ts';
import { databaseOptions } from './database.ts';
import { readCheckpoints } from './chain/checkpoint.log.ts';
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
  } finally {
    await source.destroy();
  }
});
