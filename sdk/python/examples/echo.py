from parley_bot import Bot, Context

bot = Bot()


@bot.on_message
async def answer(ctx: Context) -> None:
    await ctx.reply(f"You said: {ctx.text}")


bot.run()
