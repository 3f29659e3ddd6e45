import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Served } from './served.ts';

/** A node of a flow, as Node-RED tells it. */
interface FlowNode {
  type: string;
  name?: string;
}

/** Node-RED as people run it on a device, with a separate folder. */
export class NodeRed {
  private constructor(private readonly served: Served) {}

  static async start(port: number): Promise<NodeRed> {
    const served = await Served.folder(port, 'node-red');
    const settings = { flowFile: 'flows.json', uiHost: '127.0.0.1', uiPort: port, telemetry: { enabled: false } };
    await writeFile(
      join(served.folder, 'settings.js'),
      `module.exports = { ...${JSON.stringify(settings)}, editorTheme: { tours: false } };`,
    );
    await served.start('node-red', 'red.js', ['--userDir', served.folder], '/settings');
    return new NodeRed(served);
  }

  get port(): number {
    return this.served.port;
  }

  /** The nodes of the flows that are deployed. */
  async nodes(): Promise<FlowNode[]> {
    const response = await this.served.get('/flows');
    return (await response?.json()) as FlowNode[];
  }

  stop(): Promise<void> {
    return this.served.stop();
  }
}
