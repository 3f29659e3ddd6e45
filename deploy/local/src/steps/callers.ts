import { keptSecrets, publicHalf, sealKey, signingKey } from '../secrets.ts';
import { places, services, type Settings } from '../settings.ts';

const kept = (service: string) => `caller-${service}`;

/**
 * What each service signs its calls with and verifies those of the others with, identity seals sessions with, fleet
 * and the audit service encrypt secrets of receivers with, and the audit service signs checkpoints with: variables by service.
 */
export async function callerKeys({ home }: Settings): Promise<Record<string, NodeJS.ProcessEnv>> {
  const secrets = await keptSecrets(places(home).secrets, services.map(kept), signingKey);
  const keys = await keptSecrets(places(home).secrets, ['session', 'channels'], sealKey);
  const { checkpoints: AUDIT_KEY } = await keptSecrets(places(home).secrets, ['checkpoints'], signingKey);
  const { session: SESSION_KEY, channels: CHANNEL_KEY } = keys;
  const keyOf = (service: string) => secrets[kept(service)] ?? '';
  const CALLER_KEYS = services.map((service) => `${service}=${publicHalf(keyOf(service))}`).join(',');
  const own = (service: string) => ({ CALLER_KEY: keyOf(service), CALLER_KEYS });
  const all = Object.fromEntries(services.map((service) => [service, own(service)]));
  return {
    ...all,
    identity: { ...own('identity'), SESSION_KEY },
    fleet: { ...own('fleet'), CHANNEL_KEY },
    audit: { ...own('audit'), AUDIT_KEY, CHANNEL_KEY },
  };
}
