import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Draws SVG documents as PNG, one after the other. A thread of its own, since one picture takes a processor for long. */
export interface DrawRequest {
  readonly id: number;
  readonly svg: string;
}

export type DrawAnswer = { readonly id: number } & ({ readonly png: Uint8Array } | { readonly error: string });

const load = (file: string): Promise<Buffer> => readFile(fileURLToPath(import.meta.resolve(file)));

const [wasm, ...fonts] = await Promise.all([
  load('@resvg/resvg-wasm/index_bg.wasm'),
  load('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  load('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
]);
await initWasm(wasm);

parentPort?.on('message', ({ id, svg }: DrawRequest) => {
  parentPort?.postMessage(draw(id, svg));
});

function draw(id: number, svg: string): DrawAnswer {
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
