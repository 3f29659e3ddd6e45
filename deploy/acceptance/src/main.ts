/** The program of the image `test`: reports line by line whether an installation works, and exits with 1 if it does not. */
import { everythingAnswers } from './answers.ts';
import { readConfig } from './config.ts';
import { firstPath } from './first-path.ts';
import { Hub } from './hub.ts';
import { Steps } from './steps.ts';

try {
  const config = readConfig(process.env);
  const steps = new Steps(Date.now() + config.TIMEOUT_SECONDS * 1_000, console.log);
  const hub = new Hub(config.GATEWAY_URL, config.HUB_HOST);
  await everythingAnswers(steps, hub, config);
  if (config.TEST_FOLDER) await firstPath(steps, hub, config, config.TEST_FOLDER);
  process.exitCode = steps.failed ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
