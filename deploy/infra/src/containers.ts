import { existsSync } from 'node:fs';

/** A server in a container. */
export interface Contained {
  image: string;
  /** The port inside the container. */
  port: number;
  environment?: Record<string, string>;
  command?: string[];
  /** A line that the log of a ready server has this many times; defaults to waiting for the port. */
  serves?: { line: RegExp; times: number };
}

/** Tells whether a container engine is available and has the image; tests download nothing. */
export async function hasImage(image: string): Promise<boolean> {
  if (!process.env['DOCKER_HOST'] && !existsSync('/var/run/docker.sock')) return false;
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  try {
    const client = await getContainerRuntimeClient();
    return await client.image.exists(ImageName.fromString(image));
  } catch {
    return false;
  }
}

/** Starts a container. `at` is its host and port for this machine. */
export async function contain(what: Contained): Promise<{ at: string; stop(): Promise<unknown> }> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const { serves } = what;
  const container = await new GenericContainer(what.image)
    .withEnvironment(what.environment ?? {})
    .withCommand(what.command ?? [])
    .withExposedPorts(what.port)
    .withWaitStrategy(serves ? Wait.forLogMessage(serves.line, serves.times) : Wait.forListeningPorts())
    .start();
  return { at: `${container.getHost()}:${container.getMappedPort(what.port)}`, stop: () => container.stop() };
}
