export const NAMESPACE = 'hub';

/** A rule of a Role. */
export interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
  resourceNames?: string[];
}

export interface StoredSecret {
  metadata: {
    name: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  type?: string;
  data?: Record<string, string>;
}

/** An API server, as far as Secrets of one namespace go. */
export interface Kubernetes {
  readonly host: string;
  readonly port: number;
  /** File with the certificate of its authority. */
  readonly authority: string;
  /** Gives a new service account these rights. @returns its token */
  grant(rules: Rule[]): Promise<string>;
  read(name: string): Promise<StoredSecret | undefined>;
  write(secret: StoredSecret): Promise<void>;
  stop(): Promise<void>;
}
