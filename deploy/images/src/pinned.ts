const LINE = /^(ARG BASE_IMAGE=)([^@\s]+)(?:@(sha256:[0-9a-f]{64}))?$/m;

/** The base image as the Dockerfile names it. @throws when it names none */
export function readBase(dockerfile: string): { tag: string; digest: string | undefined } {
  const [, , tag, digest] = LINE.exec(dockerfile) ?? [];
  if (tag === undefined) throw new Error('The Dockerfile has no line ARG BASE_IMAGE=name:tag@sha256:…');
  return { tag, digest };
}

/** The Dockerfile with another digest of the same base. */
export function pinned(dockerfile: string, digest: string): string {
  return dockerfile.replace(LINE, (_line, argument: string, tag: string) => `${argument}${tag}@${digest}`);
}

/** `node:24` is `node`, `registry:5000/node:24` is `registry:5000/node`. */
const repositoryOf = (tag: string) => tag.replace(/:[^:/]+$/, '');

/**
 * The digest under which an image was pulled.
 * @param found the engine's list of `repository@digest`, as JSON
 * @throws when the registry gave none
 */
export function digestOf(found: string, tag: string): string {
  const names = (JSON.parse(found) as string[] | null) ?? [];
  const repository = repositoryOf(tag);
  const own = names.find((name) => name.startsWith(`${repository}@sha256:`));
  if (!own) throw new Error(`${tag}: the engine knows no digest of ${repository}, only ${names.join(', ') || 'none'}`);
  return own.slice(repository.length + 1);
}
