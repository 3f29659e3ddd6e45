const LINE = /^(ARG BASE_IMAGE=)([^@\s]+)(?:@(sha256:[0-9a-f]{64}))?$/m;

/** Reads the base image from the Dockerfile. @throws Error without one */
export function readBase(dockerfile: string): { tag: string; digest: string | undefined } {
  const [, , tag, digest] = LINE.exec(dockerfile) ?? [];
  if (tag === undefined) throw new Error('The Dockerfile has no line ARG BASE_IMAGE=name:tag@sha256:…');
  return { tag, digest };
}

/** Returns the Dockerfile with another digest of the same base. */
export function pinned(dockerfile: string, digest: string): string {
  return dockerfile.replace(LINE, (_line, argument: string, tag: string) => `${argument}${tag}@${digest}`);
}

/**
 * The digest that a tag has, of what `docker pull` says. What the engine lists of the image afterwards would not do: it keeps each digest
 * that the same image was pulled by, and those of a registry change with its other processors.
 * @throws when it says none
 */
export function digestOf(said: string, tag: string): string {
  const digest = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(said)?.[1];
  if (!digest) throw new Error(`${tag}: docker pull says no digest: ${said.trim().slice(-200)}`);
  return digest;
}
