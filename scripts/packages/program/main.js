import { converse } from './converse.js';

const [url, token, botToken] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await converse(url, token, botToken)));
