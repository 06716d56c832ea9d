"""A bot behind the gate: it shows sponsors to every user first, and lets them in once they have subscribed."""

import asyncio

from aiogram import Bot, Dispatcher, F
from aiogram.filters import Command, CommandObject, CommandStart
from aiogram.types import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup, Message
from settings import create_bot, create_client

from sponsorgate.aiogram import SponsorGate

dp = Dispatcher()
SponsorGate(create_client()).setup(dp)  # the gate
ANOTHER = InlineKeyboardMarkup(inline_keyboard=[[InlineKeyboardButton(text="Another one", callback_data="another")]])


@dp.message(Command("help"), flags={"sponsorgate": False})  # open to all users
async def help_text(message: Message) -> None:
    await message.answer("I tell jokes. /start to hear one.")


@dp.message(CommandStart())
async def start(message: Message, command: CommandObject) -> None:
    joke = "A SQL query walks into a bar, sees two tables and asks: may I join you?"
    await message.answer(f"{joke} ({command.args} sent you.)" if command.args else joke, reply_markup=ANOTHER)


@dp.callback_query(F.data == "another")
async def another(query: CallbackQuery, bot: Bot) -> None:
    await query.answer()
    await bot.send_message(query.from_user.id, "There is no place like ::1.", reply_markup=ANOTHER)


asyncio.run(dp.start_polling(create_bot()))
