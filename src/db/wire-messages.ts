/** A parameter as sent to PostgreSQL: text, bytes or null. */
export type WireValue = string | Uint8Array | null;

/**
 * The size of the buffer that a process reuses. `take` returns a larger buffer, grown by a large batch, without a copy.
 */
const KEPT_BYTES = 256 * 1024;

const PARSE = 0x50;
const BIND = 0x42;
const DESCRIBE = 0x44;
const EXECUTE = 0x45;
const SYNC = 0x53;
const PORTAL = 0x50;

/**
 * Writes the messages that send statements (https://www.postgresql.org/docs/current/protocol-message-formats.html) into
 * one buffer, so that many statements need only one write to the socket.
 */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(16 * 1024);
  #end = 0;

  parse(name: string, text: string): void {
    const start = this.#begin(PARSE);
    this.#terminated(name);
    this.#terminated(text);
    this.#int16(0); // the server infers the types of the parameters
    this.#finish(start);
  }

  bind(name: string, values: readonly WireValue[]): void {
    const start = this.#begin(BIND);
    this.#terminated(''); // the unnamed portal, which the next bind replaces
    this.#terminated(name);
    this.#int16(values.length);
    for (const value of values) this.#int16(typeof value === 'string' || value === null ? 0 : 1);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(0); // all columns as text
    this.#finish(start);
  }

  describe(): void {
    const start = this.#begin(DESCRIBE);
    this.#byte(PORTAL);
    this.#terminated('');
    this.#finish(start);
  }

  execute(): void {
    const start = this.#begin(EXECUTE);
    this.#terminated('');
    this.#int32(0); // all rows
    this.#finish(start);
  }

  sync(): void {
    this.#finish(this.#begin(SYNC));
  }

  /**
   * Returns the bytes written since the last call. The writer never reuses their memory, because the socket may still
   * need it.
   */
  take(): Buffer {
    const length = this.#end;
    this.#end = 0;
    if (this.#bytes.length <= KEPT_BYTES) return Buffer.from(this.#bytes.subarray(0, length));
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = Buffer.allocUnsafe(KEPT_BYTES);
    return taken;
  }

  #begin(type: number): number {
    this.#byte(type);
    const start = this.#end;
    this.#int32(0);
    return start;
  }

  #finish(start: number): void {
    this.#bytes.writeInt32BE(this.#end - start, start);
  }

  #value(value: WireValue): void {
    if (value === null) {
      this.#int32(-1);
      return;
    }
    const start = this.#end;
    this.#int32(0);
    if (typeof value === 'string') {
      this.#text(value);
    } else {
      this.#reserve(value.length);
      this.#bytes.set(value, this.#end);
      this.#end += value.length;
    }
    this.#bytes.writeInt32BE(this.#end - start - 4, start);
  }

  #terminated(text: string): void {
    if (text !== '') this.#text(text);
    this.#byte(0);
  }

  #text(text: string): void {
    this.#reserve(text.length * 3); // UTF-8 needs at most three bytes per UTF-16 unit
    this.#end += this.#bytes.write(text, this.#end, 'utf8');
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#end++] = value;
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#end = this.#bytes.writeUInt16BE(value, this.#end);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#end = this.#bytes.writeInt32BE(value, this.#end);
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + length));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
