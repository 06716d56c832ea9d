export { type Chart, COLORS, type Color, type Panel, type Series } from './chart.ts';
export { CHART_WIDTH, chartHeight, drawChart } from './draw-chart.ts';
export { createPngRenderer, PictureFailed, type PngRenderer, renderPng } from './render-png.ts';
