import type { Deb } from '../images/debian.ts';
import type { Source } from '../ready.ts';

export interface Subject {
  name: string;
  sha256: string;
}

/** What went into a release beside its commit. */
export interface Inputs {
  /** Where the commit can be had, if the checkout names a place. */
  repository: string | undefined;
  locks: readonly Subject[];
  nodes: readonly { processor: string; version: string; sha256: string }[];
  debs: readonly (Deb & { processor: string })[];
  /** Debian's packages that the agent's Node for 32-bit ARM comes from, a line each. */
  agentDebs: readonly string[];
  /** Names and versions of the programs that shape the bytes. */
  tools: Readonly<Record<string, string>>;
}

const TYPE = 'https://warren.example/release/v1';

/** https://slsa.dev/spec/v1.0/provenance in https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
export function provenanceOf({ version, commit, epoch }: Source, subjects: readonly Subject[], inputs: Inputs) {
  const { repository = 'git:warren', locks, nodes, debs, agentDebs, tools } = inputs;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: TYPE,
        externalParameters: { version },
        internalParameters: { SOURCE_DATE_EPOCH: epoch, tools },
        resolvedDependencies: [
          { uri: repository, digest: { gitCommit: commit } },
          ...locks.map(({ name, sha256 }) => ({ name, uri: `${repository}#${name}`, digest: { sha256 } })),
          ...nodes.map(({ processor, version: of, sha256 }) => ({
            uri: `pkg:generic/node@${of}?arch=${processor}`,
            digest: { sha256 },
          })),
          ...debs.map(({ name, version: of, sha256, processor }) => ({
            uri: `pkg:deb/debian/${name}@${encodeURIComponent(of)}?arch=${processor}`,
            digest: { sha256 },
          })),
          ...agentDebs.map((line) => ({ name: line, uri: 'pkg:deb/debian/nodejs?arch=armhf' })),
        ],
      },
      runDetails: { builder: { id: `${TYPE}#make-release` } },
    },
  };
}
