import { isFast } from './fast.path.ts';

/** The `ws` socket in Engine.IO's transport. */
export interface WebSocketPart {
  pause(): void;
  resume(): void;
  ping(data: Buffer): void;
  on(event: 'pong', listener: (data: Buffer) => void): unknown;
}

/** An Engine.IO socket, as far as Socket.IO's types show it. */
export interface EngineSocket {
  transport: { writable: boolean };
}

interface Engine {
  flush(): void;
  transport: { writable: boolean; socket: WebSocketPart };
}

const WEB_SOCKET = ['pause', 'resume', 'ping'] as const;

/** Probes the classes of Engine.IO's sockets and of its WebSockets, before the first socket. */
export function canReachWebSockets(engine: { prototype: object }, webSocket: { prototype: object }): boolean {
  return isFast('socket frames', () => has(engine.prototype, ['flush']) && has(webSocket.prototype, WEB_SOCKET));
}

/** The WebSocket that carries an Engine.IO socket; undefined without the fast path. */
export function webSocketOf(engine: EngineSocket): WebSocketPart | undefined {
  return reach(engine)?.transport.socket;
}

/** Whether {@link sendTogether} works on this socket. */
export function canSendTogether(engine: EngineSocket): boolean {
  return reach(engine) !== undefined;
}

/** Buffers what `work` sends on an Engine.IO socket, and passes it to its WebSocket in one turn. */
export function sendTogether(engine: EngineSocket, work: () => void): void {
  const { transport } = engine;
  transport.writable = false;
  work();
  transport.writable = true;
  reach(engine)?.flush();
}

function reach(engine: EngineSocket): Engine | undefined {
  const inner = engine as Partial<Engine>;
  const isThere = () => has(inner, ['flush']) && has(inner.transport?.socket, WEB_SOCKET);
  return isFast('socket frames', isThere) ? (inner as Engine) : undefined;
}

function has(object: object | undefined, methods: readonly string[]): boolean {
  return methods.every((name) => typeof (object as Record<string, unknown> | undefined)?.[name] === 'function');
}
