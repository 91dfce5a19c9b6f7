// A bridge between conversations and an agent of the Agent Client Protocol: `parley-bridge` as a command, `Bridge` here.
export { Bridge, type BridgeOptions } from './bridge.ts';
export { agentEnvironment } from './agent-environment.ts';
export { splitCommand } from './split-command.ts';
export { runBridge } from './run-bridge.ts';
