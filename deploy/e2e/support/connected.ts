import { expect, type APIRequestContext } from '@playwright/test';
import { SecondAgent } from './agent.ts';
import { device, enrolmentToken } from './api.ts';
import type { Estate } from './office.ts';

/**
 * Installs an agent on this machine as the device `pump-house` of an account, and waits until it is connected. The test removes it.
 * @param request a SuperAdmin's
 * @returns the agent, and the id of its device
 */
export async function connectPumpHouse(
  request: APIRequestContext,
  hub: string,
  estate: Estate,
): Promise<{ agent: SecondAgent; id: string }> {
  const { command } = await enrolmentToken(request, hub, estate.id);
  const agent = await SecondAgent.install(command, 'pump-house');
  try {
    agent.start();
    const id = await agent.device();
    await expect.poll(async () => (await device(request, id)).status, { timeout: 60_000 }).toBe('Connected');
    return { agent, id };
  } catch (error) {
    await agent.remove();
    throw error;
  }
}
