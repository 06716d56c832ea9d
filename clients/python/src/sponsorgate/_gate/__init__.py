"""The gate without a Telegram library. The modules `aiogram`, `ptb` and `telebot` put it into their library."""
