// Charts over time, drawn by Chart.js in the colours of the theme.

const charts = new Set();

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

function faded(hex, part) {
  const n = parseInt(hex.slice(1), 16);
  return `rgba(${n >> 16}, ${(n >> 8) & 255}, ${n & 255}, ${part})`;
}

/** Ticks at round values. */
function multiples(from, to, step) {
  const ticks = [];
  for (let value = Math.ceil(from / step) * step; value <= to; value += step) ticks.push({ value });
  return ticks;
}

/** Whether no line leads to a point or away from it, so that it would not be seen. */
function isAlone(data, at) {
  return (data[at - 1]?.y ?? null) === null && (data[at + 1]?.y ?? null) === null;
}

function powersOfTen(from, to) {
  const ticks = [];
  for (let power = Math.ceil(Math.log10(from)); 10 ** power <= to; power += 1) ticks.push({ value: 10 ** power });
  return ticks;
}

document.addEventListener("themechange", () => charts.forEach((chart) => { chart.paint(); chart.chart.update("none"); }));

/**
 * A chart. Each series: {label, colour, fill, dash, type, stack, right, step}. x values are numbers that `xText` prints, y values
 * numbers that `yText` prints.
 */
export function timeChart(canvas, { series, yTitle, xText, yText, rightTitle, stacked, bars, marks, tooltipTitle, logarithmic }) {
  const datasets = series.map((one) => ({
    label: one.label,
    data: [],
    type: one.type ?? (bars ? "bar" : "line"),
    yAxisID: one.right ? "right" : "y",
    stack: one.stack,
    stepped: one.step ? "before" : false,
    borderDash: one.dash ?? [],
    borderWidth: one.type === "line" || !bars ? 1.8 : 0,
    pointRadius: 0,
    pointHitRadius: 6,
    fill: one.fill ? (one.stack ? "stack" : "origin") : false,
    barPercentage: 1,
    categoryPercentage: 0.92,
    spanGaps: false,
    order: one.type === "line" ? 0 : 1,
    hidden: false,
  }));
  const axis = (title, position, grid) => ({
    type: logarithmic ? "logarithmic" : "linear",
    beginAtZero: true,
    ...(logarithmic ? {
      afterDataLimits: (scale) => {
        scale.min = 10 ** Math.floor(Math.log10(Math.max(1, scale.min)));
        scale.max = 10 ** Math.max(Math.ceil(Math.log10(Math.max(1, scale.max))), Math.log10(scale.min) + 1);
      },
      afterBuildTicks: (scale) => { scale.ticks = powersOfTen(scale.min, scale.max); },
    } : {}),
    stacked: Boolean(stacked) && position === "left",
    position,
    title: { display: Boolean(title), text: title },
    ticks: { precision: 0, maxTicksLimit: 6, ...(yText && position === "left" ? { callback: yText } : {}) },
    grid: { drawOnChartArea: grid, drawTicks: false },
    border: { display: false },
    suggestedMax: 1,
  });
  const options = {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    parsing: false,
    normalized: true,
    interaction: { mode: "index", intersect: false },
    plugins: {
      legend: { display: false },
      tooltip: {
        callbacks: {
          title: (items) => (items.length ? (tooltipTitle ?? xText)(items[0].parsed.x) : ""),
          ...(yText ? { label: (item) => `${item.dataset.label}: ${yText(item.parsed.y)}` } : {}),
        },
      },
    },
    scales: {
      x: {
        type: "linear",
        stacked: Boolean(stacked),
        offset: false,
        grid: { display: false },
        ticks: { maxRotation: 0, includeBounds: false, autoSkip: true, autoSkipPadding: 16, callback: (value) => xText(value) },
      },
      y: axis(yTitle, "left", true),
      ...(rightTitle ? { right: axis(rightTitle, "right", false) } : {}),
    },
  };
  const drawMarks = ({ ctx, chartArea: area, scales: { x } }, draw) => {
    for (const { from, to } of self.marks) {
      const left = Math.max(area.left, x.getPixelForValue(from));
      const right = Math.min(area.right, Math.max(x.getPixelForValue(to), left + 2));
      ctx.save();
      draw(ctx, left, area.top, right - left, area.bottom - area.top);
      ctx.restore();
    }
  };
  // The frame is drawn last, because bars may fill the area.
  const mark = {
    id: "marks",
    beforeDatasetsDraw: (chart) => drawMarks(chart, (ctx, ...area) => {
      ctx.fillStyle = faded(colour("shadow"), 0.16);
      ctx.fillRect(...area);
    }),
    afterDatasetsDraw: (chart) => drawMarks(chart, (ctx, ...area) => {
      ctx.strokeStyle = colour("shadow");
      ctx.lineWidth = 1.5;
      ctx.setLineDash([4, 3]);
      ctx.strokeRect(...area);
    }),
  };
  const self = {
    marks: marks ?? [],
    paint() {
      series.forEach((one, i) => {
        const line = colour(one.colour);
        datasets[i].borderColor = line;
        datasets[i].pointBackgroundColor = line;
        datasets[i].backgroundColor = datasets[i].type === "bar" ? line : faded(line, 0.22);
      });
      const soft = colour("soft");
      for (const scale of Object.values(options.scales)) {
        scale.ticks.color = soft;
        if (scale.title) scale.title.color = soft;
        if (scale.grid) scale.grid.color = colour("line");
      }
      options.plugins.tooltip.backgroundColor = colour("text");
      options.plugins.tooltip.titleColor = colour("bg");
      options.plugins.tooltip.bodyColor = colour("bg");
    },
    /** Sets the points of every series ([{x, y}, …]), the bounds of the x axis and the text for those who do not see it. */
    set(points, bounds, text, step) {
      points.forEach((data, i) => {
        datasets[i].data = data;
        if (!bars) datasets[i].pointRadius = data.map((_, at) => (isAlone(data, at) ? 2.5 : 0));
      });
      options.scales.x.afterBuildTicks = step ? (scale) => { scale.ticks = multiples(scale.min, scale.max, step); } : undefined;
      options.scales.x.min = bounds[0];
      options.scales.x.max = bounds[1];
      if (text && canvas.getAttribute("aria-label") !== text) canvas.setAttribute("aria-label", text);
      self.chart.update("none");
    },
    destroy() {
      charts.delete(self);
      self.chart.destroy();
    },
  };
  self.paint();
  canvas.setAttribute("role", "img");
  globalThis.Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  globalThis.Chart.defaults.font.size = 12;
  self.chart = new globalThis.Chart(canvas, { type: bars ? "bar" : "line", data: { datasets }, options, plugins: [mark] });
  charts.add(self);
  return self;
}
