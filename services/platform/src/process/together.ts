/** Several services that share this process. */
interface Together {
  /** Of the process, in logs, metrics and traces. */
  readonly name: string;
  /** Whether all services have started. */
  started: boolean;
}

let present: Together | undefined;

/** Declares, before any service is created, that several share this process. */
export function runTogether(name: string): Together {
  return (present = { name, started: false });
}

/** Takes {@link runTogether} back, where the process outlives the services. */
export function runApart(): void {
  present = undefined;
}

/** Undefined where a service has its process to itself. */
export const together = (): Together | undefined => present;
