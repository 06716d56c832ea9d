import { Type } from 'typebox';
import { DEVICE_TYPES, type DeviceType, OPERATING_SYSTEMS, type OperatingSystem } from './link.ts';

/** Refuses text that JSON can contain but PostgreSQL cannot store: a zero byte or half of a surrogate pair. */
const storable = { pattern: '^[^\\u0000\\ud800-\\udfff]*$' };
const deviceType = Type.Unsafe<DeviceType>({ type: 'string', enum: [...DEVICE_TYPES] });
const operatingSystem = Type.Unsafe<OperatingSystem>({ type: 'string', enum: [...OPERATING_SYSTEMS] });

const conditions = {
  countries: Type.Optional(Type.Array(Type.String(), { description: 'ISO 3166-1 alpha-2, such as RU.' })),
  cities: Type.Optional(Type.Array(Type.String(storable), { description: 'In English.' })),
  device_types: Type.Optional(Type.Array(deviceType)),
  os: Type.Optional(Type.Array(operatingSystem)),
};

const RuleBody = Type.Object(
  {
    ...conditions,
    device: Type.Optional(
      Type.Unsafe<DeviceType>({ ...deviceType, description: 'Short for device_types with one value.' }),
    ),
    url: Type.String(),
  },
  {
    title: 'LinkRule',
    description: 'Matches a visitor when every condition that is given does; what is unknown matches none.',
  },
);

const Url = Type.String({ description: 'An http, https or tg address: where visitors go whom no rule matches.' });
const Name = Type.String({ ...storable, description: 'For you to tell your links apart.' });
const Geo = Type.Array(RuleBody, { description: 'Rules in order: the first that matches wins.' });

export const NewLinkBody = Type.Object({ url: Url, name: Type.Optional(Name), geo: Type.Optional(Geo) });

export const LinkChangeBody = Type.Object(
  { url: Type.Optional(Url), name: Type.Optional(Name), geo: Type.Optional(Geo) },
  { description: 'What is absent stays as it is; an empty geo takes all rules away.' },
);

export const LinkAnswer = Type.Object(
  {
    link_id: Type.Integer(),
    code: Type.String(),
    short_url: Type.String(),
    url: Type.String(),
    name: Type.String(),
    geo: Type.Array(Type.Object({ ...conditions, url: Type.String() })),
    created_at: Type.String(),
  },
  { title: 'Link' },
);

export const LinkListQuery = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1 to 100, default 20.' })),
  cursor: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$' })),
});

export const LinkListAnswer = Type.Object({
  links: Type.Array(LinkAnswer),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Boolean(),
});

export const LinkParams = Type.Object({ id: Type.String({ maxLength: 200 }) });

export const LinkHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })),
});

export const ClicksQuery = Type.Object({
  days: Type.Optional(
    Type.String({ pattern: '^([1-9]|[1-8][0-9]|90)$', description: 'How many days up to today, 1 to 90, default 30.' }),
  ),
});

const orUnknown = Type.Union([Type.String(), Type.Null()], { description: 'null where it was not known.' });
const clicks = Type.Integer();

export const ClicksAnswer = Type.Object({
  total: Type.Integer({ description: 'Of these days.' }),
  by_day: Type.Array(Type.Object({ day: Type.String(), clicks }), { description: 'Every day, oldest first.' }),
  by_country: Type.Array(Type.Object({ country: orUnknown, clicks })),
  by_device: Type.Array(Type.Object({ device_type: orUnknown, clicks })),
  by_os: Type.Array(Type.Object({ os: orUnknown, clicks })),
});
