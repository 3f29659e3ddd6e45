import { TOOLS } from '../cluster/images.ts';

/** Where a probe is, and as whom; the cluster chooses when no user is named. */
export interface Place {
  namespace: string;
  labels?: Record<string, string>;
  user?: number;
}

/** A pod that only knocks. It is never ready, so that no Service sends it what is meant for others. */
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
