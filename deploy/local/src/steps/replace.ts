import type { ServerKind } from '@warren/infra/docker';
import type { Context } from '../context.ts';
import type { Sources } from './programs.ts';
import { redisPasswords } from './redis-users.ts';
import { serverPlan } from './servers.ts';
import { migrate, serviceSpec, type Addresses } from './services.ts';

/** The replacement of a process. */
export interface Version {
  /** Its built checkout. */
  root: string;
  /** Additional variables. */
  environment?: NodeJS.ProcessEnv;
}

/** Moves a running Warren to another version and back, step by step. */
export function replacing(context: Context, addresses: Addresses, sources: Sources) {
  const of = async (root: string) => {
    const redis = await redisPasswords(context.settings, sources.redis, root);
    return { context: { ...context, root }, addresses: { ...addresses, redis } };
  };
  return {
    async migrate(root: string): Promise<void> {
      const at = await of(root);
      await migrate(at.context, at.addresses, context.progress.say);
    },
    async replace(name: string, { root, environment }: Version): Promise<void> {
      const at = await of(root);
      const source = sources[name as ServerKind];
      const { bus, redis } = at.addresses;
      const spec = source
        ? (await serverPlan(at.context, name as ServerKind, source, { bus, redis })).spec
        : serviceSpec(at.context, at.addresses, name);
      const env = { ...(spec.env ?? process.env), ...environment };
      const { processes } = context;
      // A former version may not have it.
      if (!processes.names().includes(name)) await processes.start([{ ...spec, env }]);
      else await processes.find(name).replace({ ...spec, env });
    },
  };
}
