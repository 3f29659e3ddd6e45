/**
 * Creates the Secrets of the chart inside the cluster, before an installation or an upgrade: passwords of bundled servers, and the key
 * of the identity provider of `helm test`. Keeps every value that is there; safe to run twice, and by several at once.
 */
import { bundledValues, type Values } from './bundled.ts';
import { readConfig, type SecretsConfig } from './config.ts';
import { identityValues } from './identity.ts';
import { keepSecret, type Wanted } from './keep.ts';
import { SecretApi } from './secret.api.ts';

function wantedOf({ bundled, identity, labels, annotations }: SecretsConfig): Wanted[] {
  const wanted: Wanted[] = [];
  if (bundled) {
    const values = (kept: Values | undefined) => bundledValues(kept, bundled);
    wanted.push({ name: bundled.name, type: 'Opaque', labels, annotations, values });
  }
  if (identity) {
    const values = (kept: Values | undefined) => identityValues(kept, identity);
    wanted.push({ name: identity.name, type: 'kubernetes.io/tls', labels, annotations, values });
  }
  return wanted;
}

/** Connection errors of fetch have their reason in `cause`. */
const reason = (error: unknown) =>
  error instanceof Error
    ? [error.message, error.cause instanceof Error ? error.cause.message : ''].filter(Boolean).join(': ')
    : String(error);

try {
  const config = readConfig(process.env);
  const api = new SecretApi(config.cluster);
  for (const wanted of wantedOf(config)) {
    const outcome = await keepSecret(api, wanted).catch((error: unknown) => {
      throw new Error(`Secret ${wanted.name}: ${reason(error)}`);
    });
    console.log(`Secret ${wanted.name}: ${outcome}`);
  }
} catch (error) {
  console.error(reason(error));
  process.exitCode = 1;
}
