import { setTimeout as wait } from 'node:timers/promises';
import { checkAddresses } from './checks/addresses.ts';
import { checkBus } from './checks/bus.ts';
import { checkDatabases } from './checks/databases.ts';
import { checkHub } from './checks/hub.ts';
import { checkMail } from './checks/mail.ts';
import { checkOpenId } from './checks/openid.ts';
import { checkProviders } from './checks/providers.ts';
import { checkRedis } from './checks/redis.ts';
import { checkSites } from './checks/sites.ts';
import { checkTls } from './checks/tls.ts';
import { checkUpgrades } from './checks/upgrades.ts';
import { findings, reason, type Finding } from './finding.ts';
import type { Options } from './options.ts';
import { within } from './within.ts';

const CHECKS: Record<string, (options: Options) => Promise<Finding[]>> = {
  dns: checkAddresses,
  sites: checkSites,
  tls: checkTls,
  hub: checkHub,
  upgrade: checkUpgrades,
  saml: checkProviders,
  oidc: checkOpenId,
  postgres: checkDatabases,
  redis: checkRedis,
  nats: checkBus,
  mail: checkMail,
};

/**
 * Runs all checks concurrently; the findings have the order of the list. Never rejects.
 * @param limitMs time limit of a check, in milliseconds
 */
export async function examine(options: Options, limitMs = 300_000): Promise<Finding[]> {
  const all = await Promise.all(
    Object.entries(CHECKS).map(([name, check]) =>
      within(limitMs, check(options)).catch((error: unknown) => [
        findings(name).fail(reason(error), 'This check itself did not work; run it where the services run.'),
      ]),
    ),
  );
  return all.flat();
}

const AGAIN_MS = 2_000;

/**
 * Repeats the checks while one fails. Network policies apply to a new pod with a delay, and refuse its connections until then.
 * @param settleMs maximum time, in milliseconds
 * @returns the last findings
 */
export async function untilSettled(
  look: () => Promise<Finding[]>,
  settleMs: number,
  againMs = AGAIN_MS,
): Promise<Finding[]> {
  const deadline = performance.now() + settleMs;
  for (;;) {
    const found = await look();
    const failed = found.some(({ status }) => status === 'fail');
    if (!failed || performance.now() + againMs > deadline) return found;
    await wait(againMs);
  }
}
