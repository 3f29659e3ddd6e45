import { setFlagsFromString } from 'node:v8';

/** The first release whose V8 knows the flags. An unknown one is told of on the standard error and has no effect. */
const KNOWN_SINCE = 24;

const FLAGS = [
  // The bytes of buffers count towards the limit at which the whole heap is collected, instead of having a fixed limit of their own.
  '--external-memory-accounted-in-global-limit',
  // That limit is three times what is alive: well above the 32 MB of new buffers at which the young ones are collected.
  '--heap-growing-percent=200',
];

/**
 * Has V8 collect buffers that come and go with the young objects alone, which costs little. By itself it goes through the whole heap for
 * each 64 MB or less of them, and in a process that passes bytes on that is most of the work.
 */
export function collectBuffersYoung(): void {
  if (Number.parseInt(process.versions.node) < KNOWN_SINCE) return;
  for (const flag of FLAGS) setFlagsFromString(flag);
}
