import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/** The outcome of a call. `unknown`: the reply does not show whether Crypto Pay carried it out. */
type CryptoPayOutcome<Result> =
  | { readonly kind: 'ok'; readonly result: Result }
  | CryptoPayRefusal
  | { readonly kind: 'unknown'; readonly reason: string };

export interface CryptoPayRefusal {
  readonly kind: 'refused';
  readonly code: number;
  readonly name: string;
}

/** The part of the Crypto Pay API (https://help.send.tg/en/articles/10279948-crypto-pay-api) that we use. */
export interface CryptoPay {
  /** Sends money. A repeat with the same `spendId` sends nothing. */
  transfer(order: {
    userId: number;
    asset: string;
    amount: string;
    spendId: string;
  }): Promise<CryptoPayOutcome<Transferred>>;
  /** Returns the transfer with this spend id, if there is one. */
  findTransfer(spendId: string): Promise<CryptoPayOutcome<Transferred | undefined>>;
  /** Returns the price of one unit of the asset in rubles. */
  readRate(asset: string): Promise<CryptoPayOutcome<string | undefined>>;
  createInvoice(invoice: {
    amountRubles: string;
    description: string;
    payload: string;
    expiresInSeconds: number;
  }): Promise<CryptoPayOutcome<Invoice>>;
  getInvoices(invoiceIds: readonly number[]): Promise<CryptoPayOutcome<readonly Invoice[]>>;
}

interface Transferred {
  readonly transferId: number;
}

interface Invoice {
  readonly invoiceId: number;
  readonly status: string;
  readonly url: string;
}

export interface CryptoPayOptions {
  readonly apiRoot: string;
  readonly token: string;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** Reads are repeated within the time limit. Calls that change something are not: the caller decides. */
const READ_ATTEMPTS = 3;
const PAUSE_MS = 200;

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const TransferShape = Type.Object({ transfer_id: Id, spend_id: Type.Optional(Type.String()) });
const InvoiceShape = Type.Object({
  invoice_id: Id,
  status: Type.String(),
  bot_invoice_url: Type.Optional(Type.String()),
  pay_url: Type.Optional(Type.String()), // the same under its old name
});
const RateShape = Type.Object({
  is_valid: Type.Boolean(),
  source: Type.String(),
  target: Type.String(),
  rate: Type.String(),
});
/** The API returns lists bare or in `items`; its documentation shows only one of the two. */
const listOf = <Item extends TSchema>(item: Item) =>
  Type.Union([Type.Array(item), Type.Object({ items: Type.Array(item) })]);
const TransferList = listOf(TransferShape);
const InvoiceList = listOf(InvoiceShape);
const RateList = Type.Array(RateShape);
const Refusal = Type.Object({
  ok: Type.Literal(false),
  error: Type.Object({ code: Type.Number(), name: Type.String() }),
});
const Success = Type.Object({ ok: Type.Literal(true), result: Type.Unknown() });

const itemsOf = <Item>(list: Item[] | { items: Item[] }): Item[] => (Array.isArray(list) ? list : list.items);

const toInvoice = (raw: Static<typeof InvoiceShape>): Invoice => ({
  invoiceId: raw.invoice_id,
  status: raw.status,
  url: raw.bot_invoice_url ?? raw.pay_url ?? '',
});

export function createCryptoPay({ apiRoot, token, timeoutMs = TIMEOUT_MS }: CryptoPayOptions): CryptoPay {
  async function post(method: string, params: object, signal: AbortSignal): Promise<CryptoPayOutcome<unknown>> {
    try {
      const response = await fetch(`${apiRoot}/api/${method}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Crypto-Pay-API-Token': token },
        body: JSON.stringify(params),
        redirect: 'error',
        signal,
      });
      const body: unknown = JSON.parse(await response.text());
      if (Value.Check(Success, body) && response.ok) return { kind: 'ok', result: body.result };
      // A proxy may reply instead of the service, but not in this shape.
      if (Value.Check(Refusal, body) && response.status >= 400 && response.status < 500) {
        return { kind: 'refused', code: body.error.code, name: body.error.name.slice(0, 100) };
      }
      return { kind: 'unknown', reason: `${method} answered ${response.status}` };
    } catch (error) {
      return { kind: 'unknown', reason: `${method}: ${reasonOf(error)}` };
    }
  }

  async function call<Shape extends TSchema, Result>(
    method: string,
    params: object,
    shape: Shape,
    read: (raw: Static<Shape>) => Result,
    attempts = 1,
  ): Promise<CryptoPayOutcome<Result>> {
    const signal = AbortSignal.timeout(timeoutMs);
    for (let attempt = 1; ; attempt++) {
      const reply = await post(method, params, signal);
      if (reply.kind === 'ok') {
        if (Value.Check(shape, reply.result)) return { kind: 'ok', result: read(reply.result) };
        return { kind: 'unknown', reason: `${method} answered something unreadable` };
      }
      if (reply.kind === 'refused' || attempt >= attempts || signal.aborted) return reply;
      await sleep(PAUSE_MS * attempt);
    }
  }

  return {
    transfer: ({ userId, asset, amount, spendId }) =>
      call('transfer', { user_id: userId, asset, amount, spend_id: spendId }, TransferShape, toTransferred),
    findTransfer: (spendId) =>
      call(
        'getTransfers',
        { spend_id: spendId, count: 10 },
        TransferList,
        (list) => {
          // An API version without this parameter would return transfers of others.
          const found = itemsOf(list).find((item) => item.spend_id === spendId);
          return found && toTransferred(found);
        },
        READ_ATTEMPTS,
      ),
    readRate: (asset) =>
      call(
        'getExchangeRates',
        {},
        RateList,
        (rates) => rates.find((rate) => rate.is_valid && rate.source === asset && rate.target === 'RUB')?.rate,
        READ_ATTEMPTS,
      ),
    createInvoice: ({ amountRubles, description, payload, expiresInSeconds }) =>
      call(
        'createInvoice',
        {
          currency_type: 'fiat',
          fiat: 'RUB',
          amount: amountRubles,
          description,
          payload,
          expires_in: expiresInSeconds,
        },
        InvoiceShape,
        toInvoice,
      ),
    getInvoices: (invoiceIds) =>
      call(
        'getInvoices',
        { invoice_ids: invoiceIds.join(','), count: invoiceIds.length },
        InvoiceList,
        (list) => itemsOf(list).map(toInvoice),
        READ_ATTEMPTS,
      ),
  };
}

const toTransferred = (raw: Static<typeof TransferShape>): Transferred => ({ transferId: raw.transfer_id });

/** Returns a short reason without the URL and the headers, which contain the token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'no answer in time';
  if (error instanceof SyntaxError) return 'answered no JSON';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'connection failed';
}

/** Returns whether Crypto Pay signed the raw body. The key of the signature is the SHA-256 of the app's token. */
export function isSignedBy(token: string, rawBody: Buffer, signature: string): boolean {
  const key = createHash('sha256').update(token).digest();
  const expected = createHmac('sha256', key).update(rawBody).digest();
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(signature) ? signature : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const PaidNotification = Type.Object({
  update_type: Type.Literal('invoice_paid'),
  payload: Type.Object({
    invoice_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    status: Type.Literal('paid'),
  }),
});

/** Returns the id of the invoice that a notification reports as paid; undefined for other notifications. */
export function paidInvoiceIn(rawBody: Buffer): number | undefined {
  try {
    const notification: unknown = JSON.parse(rawBody.toString('utf8'));
    return Value.Check(PaidNotification, notification) ? notification.payload.invoice_id : undefined;
  } catch {
    return undefined;
  }
}
