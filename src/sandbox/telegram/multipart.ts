/** No Bot API method has this many parameters. */
const MAX_PARTS = 64;
const HEADER_END = Buffer.from('\r\n\r\n');

/**
 * Reads the fields of a multipart form: texts as strings, uploaded files as bytes. Node's parser is not used, because
 * it requires spaces that grammY does not send.
 */
export function parseMultipart(body: Buffer, contentType: string): Map<string, string | Buffer> | undefined {
  const boundary = /boundary=(?:"([^"]{1,100})"|([^\s;]{1,100}))/i.exec(contentType);
  const delimiter = boundary && Buffer.from(`--${boundary[1] ?? boundary[2]}`);
  if (!delimiter) return undefined;
  const fields = new Map<string, string | Buffer>();
  let start = body.indexOf(delimiter);
  for (let parts = 0; start >= 0 && parts < MAX_PARTS; parts++) {
    const partStart = start + delimiter.length;
    if (body.subarray(partStart, partStart + 2).toString() === '--') return fields;
    const end = body.indexOf(delimiter, partStart);
    const headerEnd = body.indexOf(HEADER_END, partStart);
    if (end < 0 || headerEnd < 0 || headerEnd > end) return undefined;
    const headers = body.subarray(partStart, headerEnd).toString('utf8');
    const name = /;\s*name="?([^";\r\n]*)/i.exec(headers)?.[1];
    if (name === undefined) return undefined;
    const content = body.subarray(headerEnd + HEADER_END.length, end - 2); // without the line break before the boundary
    fields.set(name, /;\s*filename\*?=/i.test(headers) ? content : content.toString('utf8'));
    start = end;
  }
  return undefined;
}
