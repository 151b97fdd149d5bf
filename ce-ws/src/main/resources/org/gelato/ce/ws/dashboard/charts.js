"use strict";

// The figures of the page. Data are columns of numbers beside a column of times; every text goes in by textContent.
const Charts = (() => {
  const DASHES = [[], [8, 3], [2, 3], [8, 3, 2, 3], [14, 4], [4, 4]];
  const {element, drawn, seconds, bytes, digits, known} = Dom;
  /** Four hues, and those of failures and of what is beside the point; lines have a dash of their own, too. */
  const TONES = ["wait", "held", "run", "here", "fail", "soft"];
  const AREAS = ["soft", "held", "here", "wait", "run"];
  const stacked = definition => definition.unit === "states";
  const logarithmic = definition => definition.unit === "latency";
  const labels = definition => Object.keys(definition.lines);
  const height = definition => stacked(definition) ? 260 : 180;
  /** Between two lines of the grid. */
  const STEPS = {
    jobs: [1, 2, 5].flatMap(x => Array.from({length: 9}, (y, i) => x * 10 ** i)).sort((a, b) => a - b),
    bytes: Array.from({length: 44}, (x, i) => 2 ** i),
    time: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200,
      86400, 172800, 604800, 2592000],
  };
  STEPS.states = STEPS.jobs;
  const shown = new Map();

  function format(unit, value) {
    if (!known(value)) {
      return "–";
    }
    return unit === "jobs" || unit === "states" ? Dom.count(value) : unit === "time" || unit === "latency" ? seconds(value) : unit === "bytes" ? bytes(value) : digits(value);
  }

  const stamp = time => new Date(time * 1000).toISOString().slice(0, 16).replace("T", " ");
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const tone = (definition, i) => (definition.tones || (stacked(definition) ? AREAS : TONES))[i];

  function swatch(definition, i) {
    if (stacked(definition)) {
      return element("i", undefined, "key " + tone(definition, i));
    }
    const line = drawn("line", {x1: 0, y1: 5, x2: 28, y2: 5, "stroke-width": 2.5, class: "line " + tone(definition, i)});
    if (DASHES[i].length) {
      line.setAttribute("stroke-dasharray", DASHES[i].join(" "));
    }
    return drawn("svg", {viewBox: "0 0 28 10", "aria-hidden": "true", class: "swatch"}, line);
  }

  /** A small line of a column, in a box of 100 by 28. */
  function spark(column) {
    const most = Math.max(...column.filter(known), 0);
    const at = i => 100 * i / (column.length - 1) + "," + (26 - (most ? 24 * column[i] / most : 0)).toFixed(1);
    let path = "";
    column.forEach((value, i) => {
      if (known(value)) {
        // A value between two unknown ones is a point.
        path += (i && known(column[i - 1]) ? "L" : "M") + at(i) + (known(column[i + 1]) || i && known(column[i - 1]) ? "" : "h0.5");
      }
    });
    return drawn("svg", {viewBox: "0 0 100 28", preserveAspectRatio: "none", "aria-hidden": "true"}, drawn("path", {d: path}));
  }

  /** The last slot is not complete yet; a level in it is right all the same, and a rate too. */
  function latest(column) {
    for (let i = column.length - 1; i >= 0 && i >= column.length - 3; i--) {
      if (column[i] !== null) {
        return column[i];
      }
    }
    return null;
  }

  function figure(definition) {
    const box = element("figure");
    box.id = "figure-" + definition.id;
    const caption = element("figcaption", element("h2", definition.title));
    caption.id = "caption-" + definition.id;
    box.setAttribute("aria-labelledby", caption.id);
    box.append(caption);
    const legend = element("ul", undefined, "legend");
    const outputs = labels(definition).map((label, i) => {
      const item = element("li");
      const output = element("output", "–");
      item.append(swatch(definition, i), label + " ", output);
      legend.append(item);
      return output;
    });
    const plot = element("div", undefined, "plot");
    plot.setAttribute("role", "img");
    const details = element("details");
    details.append(element("summary", "Values as a table"));
    const region = element("div", undefined, "scroll");
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", definition.title + ", values");
    region.tabIndex = 0;
    details.append(region);
    box.append(legend, plot, details);
    const made = {definition, box, plot, outputs, details, region, data: null, drawn: null, chart: null, look: ""};
    details.addEventListener("toggle", () => values(made));
    new ResizeObserver(() => {
      if (made.chart && plot.clientWidth > 0 && plot.clientWidth !== made.chart.width) {
        made.chart.setSize({width: plot.clientWidth, height: height(definition)});
      }
    }).observe(plot);
    return made;
  }

  function values(made) {
    made.region.replaceChildren();
    if (!made.details.open || !made.data) {
      return;
    }
    const table = element("table");
    const head = element("tr");
    head.append(...["time", ...labels(made.definition)].map((text, i) => {
      const cell = element("th", text, i ? "n" : "");
      cell.scope = "col";
      return cell;
    }));
    const body = element("tbody");
    for (let i = made.data[0].length - 1; i >= 0; i--) {
      if (made.data.slice(1).some(column => column[i] !== null)) {
        const row = element("tr");
        row.append(element("td", stamp(made.data[0][i])),
          ...made.data.slice(1).map(column => element("td", format(made.definition.unit, column[i]), "n")));
        body.append(row);
      }
    }
    const top = element("thead");
    top.append(head);
    table.append(top, body);
    made.region.append(table);
  }

  function legend(made, index) {
    made.outputs.forEach((output, i) => {
      const column = made.data[i + 1];
      output.textContent = format(made.definition.unit, index === null || index === undefined ? latest(column) : column[index]);
    });
  }

  /** Of a logarithmic axis the powers of ten. */
  const tens = (u, splits) => splits.map(v => Number.isInteger(Math.round(Math.log10(v) * 1e6) / 1e6) ? v : null);

  /** A value between two unknown ones makes no line; it is shown as a point. */
  function alone(u, series, show) {
    const column = u.data[series];
    return show ? null : column.flatMap((value, i) => known(value) && !known(column[i - 1]) && !known(column[i + 1]) ? [i] : []);
  }

  /** Areas differ by their hatching, too. */
  const HATCHES = {run: "", wait: "M0,8L8,0M-1,1L1,-1M7,9L9,7", here: "M0,0L8,8M-1,7L1,9M7,-1L9,1", held: "M4,0V8M0,4H8", soft: "M0,4H8"};

  function pattern(name) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 8;
    const context = canvas.getContext("2d");
    context.fillStyle = colour("--" + name);
    context.fillRect(0, 0, 8, 8);
    context.strokeStyle = colour("--card");
    context.globalAlpha = 0.45;
    context.stroke(new Path2D(HATCHES[name]));
    return context.createPattern(canvas, "repeat");
  }

  function options(made, span) {
    const {definition, plot} = made;
    const axis = {stroke: colour("--soft"), grid: {stroke: colour("--line"), width: 1}, ticks: {stroke: colour("--line")}};
    const vertical = {...axis, size: 66, values: (u, ticks) => ticks.map(t => t === null ? "" : format(definition.unit, t))};
    if (logarithmic(definition)) {
      vertical.filter = tens;
      vertical.grid = {...axis.grid, filter: tens};
      vertical.ticks = {...axis.ticks, filter: tens};
    } else if (STEPS[definition.unit]) {
      vertical.incrs = STEPS[definition.unit];
    }
    const scale = logarithmic(definition)
      ? {distr: 3, range: (u, low, high) => [10 ** Math.floor(Math.log10(low || 0.001)), 10 ** Math.ceil(Math.log10(high || 1) + 0.01)]}
      : {range: (u, low, high) => [0, Math.max(high * 1.08, STEPS[definition.unit] === STEPS.jobs ? 4 : 0) || 1]};
    return {
      width: Math.max(plot.clientWidth, 200), height: height(definition), legend: {show: false},
      tzDate: time => uPlot.tzDate(new Date(time * 1000), "Etc/UTC"),
      cursor: {sync: {key: "course-" + span}, y: false, drag: {x: false, y: false}},
      scales: {y: scale},
      axes: [{...axis, values: (u, times) => times.map(t => span === "hour" || span === "day" ? stamp(t).slice(11) : stamp(t).slice(5, 10)), space: 60},
        vertical],
      series: [{}, ...labels(definition).map((label, i) => stacked(definition)
        ? {label, stroke: colour("--card"), width: 1, fill: pattern(tone(definition, i)), spanGaps: false, points: {show: false}}
        : {label, stroke: colour("--" + tone(definition, i)), width: 2, dash: DASHES[i], spanGaps: false,
          points: {size: 4, fill: colour("--" + tone(definition, i)), filter: alone}})],
      hooks: {setCursor: [u => legend(made, u.cursor.idx)]},
    };
  }

  /** Draws the columns of a figure, anew when its span or the colours have changed. */
  function draw(made, columns, span) {
    made.data = columns;
    // The last in the legend is the lowest: each is drawn on those above it.
    made.drawn = stacked(made.definition) ? [columns[0], ...columns.slice(1).map((column, i) => column.map((value, t) => value === null ? null
      : columns.slice(i + 1).reduce((all, c) => all + (c[t] || 0), 0)))] : columns;
    const look = span + dark.matches;
    if (made.chart && made.look !== look) {
      made.chart.destroy();
      made.chart = null;
    }
    if (made.chart) {
      made.chart.setData(made.drawn);
    } else if (made.plot.clientWidth) {
      made.chart = new uPlot(options(made, span), made.drawn, made.plot);
      made.look = look;
    }
    legend(made, null);
    made.plot.setAttribute("aria-label", made.definition.title + ", last " + span + "; latest: "
      + labels(made.definition).map((label, i) => label + " " + made.outputs[i].textContent).join(", "));
    values(made);
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");
  let one = null;

  const times = (column, factor) => column.map(v => v === null ? null : v * factor);
  function sum(series, keys) {
    return series[keys[0]].map((v, i) => keys.every(k => series[k][i] === null) ? null : keys.reduce((all, k) => all + (series[k][i] || 0), 0));
  }

  /** The figures in a place, as the CE describes them; each with a class of its own. */
  function show(place, definitions, data, look) {
    for (const definition of definitions) {
      if (!shown.has(definition.id)) {
        const made = figure(definition);
        made.box.className = look;
        shown.set(definition.id, made);
        place.append(made.box);
      }
      const factor = definition.unit === "minute" ? 60 : 1;
      draw(shown.get(definition.id), [data.series.time, ...Object.values(definition.lines).map(keys => times(sum(data.series, keys), factor))], data.span);
    }
  }

  /** A figure of its own in a place, which may be of another definition than the one before. */
  function single(place, definition, columns, span) {
    if (!one || one.definition.title !== definition.title) {
      one = figure(definition);
      place.replaceChildren(one.box);
    }
    draw(one, columns, span);
  }

  return {show, single, spark, latest, stacked, sum, times};
})();
