import { TOOLS } from '../cluster/images.ts';

/** Namespace and user of a probe; without a user the cluster chooses one. */
export interface Place {
  namespace: string;
  labels?: Record<string, string>;
  user?: number;
}

/** Builds a client pod. It is never ready, so that no Service routes to it. */
export const probe = (name: string, { namespace, labels = {}, user }: Place) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `probe-${name}`, namespace, labels },
  spec: {
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
      ...(user !== undefined && { runAsUser: user }),
    },
    containers: [
      {
        name: 'probe',
        image: TOOLS,
        command: ['sleep', 'infinity'],
        readinessProbe: { exec: { command: ['false'] } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
});
