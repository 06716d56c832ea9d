export { drawChart } from './draw-chart.ts';
export { PictureFailed, renderPng } from './render-png.ts';
