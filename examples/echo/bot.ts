import { createBot } from '@parley/client/bot';

const bot = createBot();
bot.on('message', (ctx) => ctx.reply(`You said: ${ctx.text}`));
await bot.start();
