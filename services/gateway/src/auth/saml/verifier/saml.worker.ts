import { parentPort, workerData } from 'node:worker_threads';
import { verifyLogoutPost, verifyLogoutRedirect } from './logout.ts';
import { parseMetadata } from './metadata.ts';
import { verifyResponse } from './response.ts';
import { SignInRefused } from '../../refusal/sign-in.refused.ts';
import type { HubFacts, Job, JobResult, TaskName, Tasks } from './tasks.ts';

const hub = workerData as HubFacts;

const tasks: { [N in TaskName]: (input: Tasks[N]['input']) => Promise<Tasks[N]['output']> } = {
  response: ({ message, providers }) => verifyResponse(message, hub, providers),
  logoutPost: ({ message, providers }) => verifyLogoutPost(message, hub, providers),
  logoutRedirect: ({ message, providers }) => verifyLogoutRedirect(message, hub, providers),
  metadata: async ({ xml }) => parseMetadata(xml),
};

async function resultOf({ name, input }: Job): Promise<JobResult> {
  try {
    return { output: await tasks[name](input as never) };
  } catch (error) {
    if (!(error instanceof SignInRefused)) return { error: error instanceof Error ? error.message : String(error) };
    const { message: reason, provider, kind, details, said, email } = error;
    return { refused: { reason, provider, kind, details, said, email } };
  }
}

parentPort?.on('message', (job: Job) => void resultOf(job).then((result) => parentPort?.postMessage(result)));
parentPort?.postMessage('ready');
