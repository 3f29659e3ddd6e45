import { describe, expect, it } from '@jest/globals';
import { agentProgram, agentSettings, readyNode } from './settings.ts';

const NEEDED = ['MeshID=0x06', 'ServerID=E3', 'MeshServer=wss://127.0.0.1:4433/agent.ashx'];

describe("MeshCentral's agent", () => {
  it.each([
    ['x64', '/package/agents/meshagent_x86-64'],
    ['arm64', '/package/agents/meshagent_aarch64'],
  ] as const)('has a program for %s', (architecture, program) => {
    expect(agentProgram('/package', architecture)).toBe(program);
  });

  it('says so when there is none for a processor', () => {
    expect(() => agentProgram('/package', 's390x')).toThrow('it has no agent for s390x, only for x64,arm64,arm');
  });

  it('gets its settings without the texts of its window', () => {
    const answer = `\r\nMeshName=bench\r\n${NEEDED.join('\r\n')}\r\ntranslation={"en":{"agent":"Agent"}}\r\n`;
    expect(agentSettings(answer)).toBe(`MeshName=bench\r\n${NEEDED.join('\r\n')}\r\n`);
  });

  it('is not started with settings that name no server', () => {
    expect(() => agentSettings(NEEDED.slice(0, 2).join('\r\n'))).toThrow('have no MeshServer');
  });

  it('is ready when it is linked and has what it runs', () => {
    const offline = { _id: 'node//1', agent: { core: 'v1' } };
    const linking = { _id: 'node//2', conn: 1, agent: {} };
    const powered = { _id: 'node//3', conn: 2, agent: { core: 'v1' } };
    expect(readyNode({ a: [offline], b: [linking, powered] })).toBeUndefined();
    expect(readyNode({ a: [offline, linking], b: [{ _id: 'node//4', conn: 3, agent: { core: 'v1' } }] })).toBe(
      'node//4',
    );
    expect(readyNode({})).toBeUndefined();
  });
});
