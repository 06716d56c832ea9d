import { type Static, Type } from 'typebox';

/** Ids in a path are text, so that the schemas do not depend on the server's type coercion. */
const UserId = Type.String({ pattern: '^[1-9]\\d{0,15}$' });
const ChatId = Type.String({ pattern: '^-?[1-9]\\d{0,15}$' });
const Flag = Type.Optional(Type.String({ maxLength: 5 }));
/** PostgreSQL cannot store a zero byte or an unpaired surrogate, and Telegram sends neither. */
const text = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000\\ud800-\\udfff]*$' });
const Username = Type.String({ pattern: '^@?[A-Za-z0-9_]{1,32}$' });
/** A number, or a boolean: some or none. */
const Amount = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Boolean()]));

export const NewChatBody = Type.Object({
  type: Type.Union([Type.Literal('channel'), Type.Literal('supergroup'), Type.Literal('group'), Type.Literal('bot')]),
  title: text(1, 255),
  username: Type.Optional(Username),
  /** The chat has no public name: people join only by an invite link. */
  private: Type.Optional(Type.Boolean()),
});

const Birthdate = Type.Union([
  Type.Object({
    day: Type.Integer({ minimum: 1, maximum: 31 }),
    month: Type.Integer({ minimum: 1, maximum: 12 }),
    year: Type.Optional(Type.Integer({ minimum: 1800, maximum: 2200 })),
  }),
  Type.String({ pattern: '^(\\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' }),
]);

/** `1990-05-17`, `05-17` (the year is private) or Telegram's own object. */
export function parseBirthdate(given: Static<typeof Birthdate> | undefined) {
  if (typeof given !== 'string') return given;
  const [day = 1, month = 1, year] = given.split('-').map(Number).reverse();
  return { day, month, ...(year === undefined ? {} : { year }) };
}

export const NewUserBody = Type.Object({
  user_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  first_name: Type.Optional(text(0, 64)),
  username: Type.Optional(Username),
  language_code: Type.Optional(text(0, 35)),
  is_premium: Type.Optional(Type.Boolean()),
  bio: Type.Optional(text(0, 500)),
  birthdate: Type.Optional(Birthdate),
  photos: Amount,
  rating: Type.Optional(Type.Integer({ minimum: -1_000, maximum: 1_000 })),
  gifts: Amount,
  audios: Amount,
});

export const UserChangesBody = Type.Pick(NewUserBody, ['first_name', 'language_code', 'is_premium', 'bio']);

export const ChatMemberParams = Type.Object({ chat_id: ChatId, user_id: UserId });
export const JoinQuery = Type.Object({
  silent: Flag,
  status: Type.Optional(
    Type.Union([
      Type.Literal('member'),
      Type.Literal('restricted'),
      Type.Literal('administrator'),
      Type.Literal('creator'),
    ]),
  ),
  anonymous: Flag,
  invite_link: Type.Optional(text(0, 200)),
  by: Type.Optional(UserId),
});
export const LeaveQuery = Type.Object({
  silent: Flag,
  status: Type.Optional(Type.Union([Type.Literal('left'), Type.Literal('kicked')])),
  by: Type.Optional(UserId),
});

export const NewFaultBody = Type.Object({
  mode: Type.Union([
    Type.Literal('down'),
    Type.Literal('too_many_requests'),
    Type.Literal('slow'),
    Type.Literal('garbage'),
    Type.Literal('not_admin'),
    Type.Literal('flood_limits'),
    Type.Literal('none'),
  ]),
  method: Type.Optional(text(0, 64)),
  chat_id: Type.Optional(Type.Union([Type.Integer(), text(0, 64)])),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  retry_after: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
});

export const MigrationQuery = Type.Object({ silent: Flag });
export const RenamingBody = Type.Object({ username: Type.Union([Username, Type.Null()]) });
export const ChatParams = Type.Object({ chat_id: ChatId });
/** A message in a group; without `user_id` it has no author. */
export const GroupMessageBody = Type.Object({
  user_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  text: text(1, 4_096),
});

export const PersonParams = Type.Object({ user_id: UserId });
/** A chat that a person creates. It has no bot. */
export const OwnChatBody = Type.Object({
  type: Type.Optional(Type.Union([Type.Literal('channel'), Type.Literal('supergroup'), Type.Literal('group')])),
  title: text(1, 255),
  username: Type.Optional(Username),
  private: Type.Optional(Type.Boolean()),
});
export const OwnChatBotParams = Type.Object({ user_id: UserId, chat_id: ChatId, bot: Username });
/** A forwarded message names its author by username or id, or only by name when the author hides the account. */
export const PersonMessage = Type.Object({
  bot: Username,
  text: text(1, 4_096),
  forward_from: Type.Optional(Type.Union([Username, Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })])),
  forward_from_name: Type.Optional(text(1, 64)),
});
/**
 * Presses a button by its label, with the chat to share if the button requests one. Or sends arbitrary callback data,
 * as a tampered client would: for one message, or for the newest message with buttons.
 */
export const ButtonPress = Type.Union([
  Type.Object({
    bot: Username,
    button: text(1, 256),
    chat_id: Type.Optional(Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: -1 })),
  }),
  Type.Object({
    bot: Username,
    data: text(1, 64),
    message_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  }),
]);
export const SeenQuery = Type.Object({ bot: Username });

export const InboxQuery = Type.Object({ name: Type.Optional(text(0, 100)) });
export const InboxParams = Type.Object({ name: text(1, 100) });
export const DeliveryQuery = Type.Object({
  status: Type.Optional(Type.String({ pattern: '^[2-5]\\d\\d$' })),
  delay_ms: Type.Optional(Type.String({ pattern: '^\\d{1,5}$' })),
});
