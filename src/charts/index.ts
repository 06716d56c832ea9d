export { drawChart } from './draw-chart.ts';
export { drawGraph } from './draw-graph.ts';
export { PictureFailed, renderPng } from './render-png.ts';
