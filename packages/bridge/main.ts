#!/usr/bin/env node
import process from 'node:process';
import { runBridge } from './run-bridge.ts';

await runBridge(process.argv.slice(2));
