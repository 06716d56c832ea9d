import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Renders SVG documents as PNG, one after the other. It is a worker thread, because a picture would block the event loop. */
export interface RenderRequest {
  readonly id: number;
  readonly svg: string;
}

export type RenderResult = { readonly id: number } & ({ readonly png: Uint8Array } | { readonly error: string });

const load = (file: string): Promise<Buffer> => readFile(fileURLToPath(import.meta.resolve(file)));

const [wasm, ...fonts] = await Promise.all([
  load('@resvg/resvg-wasm/index_bg.wasm'),
  load('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  load('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
]);
await initWasm(wasm);

parentPort?.on('message', ({ id, svg }: RenderRequest) => {
  parentPort?.postMessage(render(id, svg));
});

function render(id: number, svg: string): RenderResult {
  try {
    const picture = new Resvg(svg, { font: { fontBuffers: fonts, defaultFontFamily: 'Inter' } });
    try {
      const rendered = picture.render();
      const png = rendered.asPng();
      rendered.free();
      return { id, png };
    } finally {
      picture.free();
    }
  } catch (error) {
    return { id, error: String(error) };
  }
}
