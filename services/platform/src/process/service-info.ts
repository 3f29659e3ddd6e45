import { Inject } from '@nestjs/common';
import type { CallerConfig, NatsConfig } from '../config/common.ts';

/** What a process is called and where its bus is. */
export interface ServiceInfo {
  /** `identity`, `tenancy`, …: queue group, durable consumer, log field. */
  name: string;
  /** Semantic version. */
  version: string;
  nats: NatsConfig;
  callers: CallerConfig;
  /** Nothing that is only fit for development may be used. */
  production?: boolean;
}

export const SERVICE_INFO = Symbol('ServiceInfo');

/** Injects what the process is called and where its bus is. */
export const InjectServiceInfo = () => Inject(SERVICE_INFO);
