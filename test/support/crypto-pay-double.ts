import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CRYPTO_PAY_TOKEN = '12345:AAtesttokenoftheapp';

/**
 * How a call fails. `before`: the double did nothing. `after`: the double did the work, but the caller gets no result.
 */
export type CryptoPayFault =
  | { readonly mode: 'hang' | 'cut' | 'error_500' | 'garbage' | 'wrong_shape'; readonly done: 'before' | 'after' }
  | { readonly mode: 'refuse'; readonly name: string; readonly code?: number };

export interface DoubleTransfer {
  readonly transfer_id: number;
  readonly spend_id: string;
  readonly user_id: number;
  readonly asset: string;
  readonly amount: string;
  readonly status: 'completed';
  readonly completed_at: string;
}

interface DoubleInvoice {
  readonly invoice_id: number;
  readonly amount: string;
  readonly fiat: string;
  readonly payload: string;
  readonly bot_invoice_url: string;
  status: 'active' | 'paid' | 'expired';
}

type Params = Readonly<Record<string, unknown>>;

class Refused extends Error {
  readonly code: number;
  constructor(name: string, code = 400) {
    super(name);
    this.code = code;
  }
}

/**
 * Emulates the part of Crypto Pay's HTTP API that the service uses. A spend id is valid for one transfer, as in Crypto
 * Pay.
 */
export class CryptoPayDouble {
  readonly transfers: DoubleTransfer[] = [];
  readonly invoices = new Map<number, DoubleInvoice>();
  readonly calls: { readonly method: string; readonly params: Params }[] = [];
  /** Rubles for one USDT. */
  rate = '92.5';
  /** False: getTransfers does not list the transfers yet. */
  showsTransfers = true;
  #created = 0;
  readonly #faults: { method: string; fault: CryptoPayFault }[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  static async open(): Promise<CryptoPayDouble> {
    const double = new CryptoPayDouble();
    double.#server.listen(0, '127.0.0.1');
    await once(double.#server, 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Makes the next `count` calls of the method fail. */
  fail(method: string, fault: CryptoPayFault, count = 1): void {
    for (let i = 0; i < count; i++) this.#faults.push({ method, fault });
  }

  /** Returns whether the next call of this method gets no response. */
  hangsNext(method: string): boolean {
    return this.#faults.find((entry) => entry.method === method)?.fault.mode === 'hang';
  }

  heal(): void {
    this.#faults.length = 0;
    this.showsTransfers = true;
  }

  called(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  transfersOf(userId: number): DoubleTransfer[] {
    return this.transfers.filter((transfer) => transfer.user_id === userId);
  }

  setInvoice(invoiceId: number, status: DoubleInvoice['status']): void {
    const invoice = this.invoices.get(invoiceId);
    if (invoice === undefined) throw new Error(`the double has no invoice ${invoiceId}`);
    invoice.status = status;
  }

  /** Returns the signed notice that Crypto Pay sends. */
  notice(invoiceId: number, { updateType = 'invoice_paid', status = 'paid', token = CRYPTO_PAY_TOKEN } = {}) {
    const body = JSON.stringify({
      update_id: 1,
      update_type: updateType,
      request_date: '2026-01-01T00:00:00.000Z',
      payload: { ...this.invoices.get(invoiceId), invoice_id: invoiceId, status },
    });
    return { body, signature: sign(body, token) };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? '').replace('/api/', '');
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const params = JSON.parse(text || '{}') as Params;
    this.calls.push({ method, params });
    if (request.headers['crypto-pay-api-token'] !== CRYPTO_PAY_TOKEN) return refuse(response, 401, 'UNAUTHORIZED');
    const index = this.#faults.findIndex((entry) => entry.method === method);
    const fault = index < 0 ? undefined : this.#faults.splice(index, 1)[0]?.fault;
    if (fault?.mode === 'refuse') return refuse(response, fault.code ?? 400, fault.name);
    if (fault?.done === 'before') return misbehave(response, fault.mode);
    try {
      const result = this.#do(method, params);
      if (fault !== undefined) return misbehave(response, fault.mode);
      answer(response, 200, { ok: true, result });
    } catch (error) {
      if (error instanceof Refused) return refuse(response, error.code, error.message);
      throw error;
    }
  }

  #do(method: string, params: Params): unknown {
    switch (method) {
      case 'transfer':
        return this.#transfer(params);
      case 'getTransfers': {
        const all = this.showsTransfers ? this.transfers : [];
        return { items: all.filter((t) => params.spend_id === undefined || t.spend_id === params.spend_id) };
      }
      case 'getExchangeRates':
        return [
          { is_valid: true, is_crypto: true, is_fiat: false, source: 'USDT', target: 'USD', rate: '1.0' },
          { is_valid: false, is_crypto: true, is_fiat: false, source: 'USDT', target: 'RUB', rate: '1' },
          { is_valid: true, is_crypto: true, is_fiat: false, source: 'USDT', target: 'RUB', rate: this.rate },
        ];
      case 'createInvoice':
        return this.#createInvoice(params);
      case 'getInvoices': {
        const ids = String(params.invoice_ids).split(',').map(Number);
        return { items: ids.flatMap((id) => this.invoices.get(id) ?? []) };
      }
      default:
        throw new Refused('METHOD_NOT_FOUND', 405);
    }
  }

  #transfer(params: Params): DoubleTransfer {
    for (const name of ['user_id', 'asset', 'amount', 'spend_id']) {
      if (params[name] === undefined) throw new Refused(`${name.toUpperCase()}_REQUIRED`);
    }
    if (String(params.spend_id).length > 64) throw new Refused('SPEND_ID_TOO_LONG');
    if (!/^\d+(\.\d{1,6})?$/.test(String(params.amount))) throw new Refused('AMOUNT_INVALID');
    if (this.transfers.some((t) => t.spend_id === params.spend_id)) throw new Refused('SPEND_ID_ALREADY_USED');
    const transfer: DoubleTransfer = {
      transfer_id: 1000 + this.transfers.length,
      spend_id: String(params.spend_id),
      user_id: Number(params.user_id),
      asset: String(params.asset),
      amount: String(params.amount),
      status: 'completed',
      completed_at: '2026-01-01T00:00:00.000Z',
    };
    this.transfers.push(transfer);
    return transfer;
  }

  #createInvoice(params: Params): DoubleInvoice {
    if (params.currency_type !== 'fiat' || params.fiat !== 'RUB') throw new Refused('CURRENCY_TYPE_INVALID');
    if (!/^\d+\.\d{2}$/.test(String(params.amount))) throw new Refused('AMOUNT_INVALID');
    const invoiceId = 500_000 + this.#created++;
    const invoice: DoubleInvoice = {
      invoice_id: invoiceId,
      amount: String(params.amount),
      fiat: 'RUB',
      payload: String(params.payload),
      bot_invoice_url: `https://t.me/CryptoBot?start=IV${invoiceId}`,
      status: 'active',
    };
    this.invoices.set(invoiceId, invoice);
    return invoice;
  }
}

export function sign(body: string, token: string): string {
  return createHmac('sha256', createHash('sha256').update(token).digest()).update(body).digest('hex');
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, code: number, name: string): void {
  answer(response, code, { ok: false, error: { code, name } });
}

function misbehave(response: ServerResponse, mode: 'hang' | 'cut' | 'error_500' | 'garbage' | 'wrong_shape'): void {
  switch (mode) {
    case 'hang':
      return; // the connection stays open until the client times out or the double closes
    case 'cut':
      response.destroy();
      return;
    case 'error_500':
      answer(response, 500, { ok: false, error: { code: 500, name: 'INTERNAL_SERVER_ERROR' } });
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>Bad gateway</html>');
      return;
    case 'wrong_shape':
      answer(response, 200, { ok: true, result: { transfer_id: 'soon' } });
  }
}
