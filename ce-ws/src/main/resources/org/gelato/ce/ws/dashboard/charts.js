"use strict";

// The figures of the page. Data are columns of numbers beside a column of times; every text goes in by textContent.
const Charts = (() => {
  const DASHES = [[], [8, 3], [2, 3], [8, 3, 2, 3], [14, 4], [4, 4]];
  const SVG = "http://www.w3.org/2000/svg";
  /** Between two lines of the grid. */
  const STEPS = {
    bytes: Array.from({length: 44}, (x, i) => 2 ** i),
    time: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200,
      86400, 172800, 604800, 2592000],
  };
  const shown = [];

  const DEFINITIONS = [
    {id: "jobs", title: "Jobs by state", unit: "count", series: [
      ["jobs_registered", "registered"], ["jobs_pending", "pending"], ["jobs_idle", "idle"], ["jobs_running", "running"],
      ["jobs_really_running", "really running"], ["jobs_held", "held"]]},
    {id: "cpu", title: "CPU, cores in use", unit: "cores", series: [
      ["cpu_jvm", "JVM"], ["cpu_database", "database"], ["cpu_helper", "helper"]]},
    {id: "rates", title: "Jobs a minute", unit: "minute", series: [
      ["registered", "submitted"], ["handed_over", "handed over"], ["done_ok", "done"], ["done_failed", "failed"],
      ["cancelled", "cancelled"], ["aborted", "aborted"]]},
    {id: "hand-over", title: "From the start of a job to the batch system", unit: "time", log: true, series: [
      ["hand_over_p50", "p50"], ["hand_over_p95", "p95"]]},
    {id: "requests", title: "Time of requests", unit: "time", log: true, series: [
      ["request_p50", "p50"], ["request_p95", "p95"]]},
    {id: "failed-requests", title: "Failed requests a minute", unit: "minute", series: [["requests_failed", "failed"]]},
    {id: "waiting", title: "Commands that wait", unit: "count", series: [
      ["waiting_hand_over", "hand-over"], ["waiting_control", "control"], ["waiting_purge", "purge"], ["waiting_other", "other"]]},
    {id: "oldest", title: "Age of the oldest command", unit: "time", series: [["oldest_waiting", "oldest"]]},
    {id: "window", title: "Hand-over to the batch system", unit: "count", series: [
      ["hand_over_window", "window"], ["hand_over_paused", "paused (1)"]]},
    {id: "memory", title: "Memory", unit: "bytes", series: [
      ["memory_jvm", "JVM"], ["memory_heap", "heap"], ["memory_database", "database"], ["memory_helper", "helper"]]},
    {id: "descriptors", title: "Open descriptors", unit: "count", series: [["descriptors", "JVM"]]},
    {id: "starts", title: "Process starts a minute", unit: "minute", series: [
      ["starts_commands", "commands"], ["starts_workers", "workers"], ["starts_servers", "helpers and databases"]]},
    {id: "database", title: "Database a second", unit: "rate", series: [
      ["statements", "statements"], ["commits", "commits"]]},
  ];

  const digits = value => {
    const size = Math.abs(value);
    return size >= 100 || Number.isInteger(value) ? Math.round(value).toString()
      : size >= 1 ? value.toFixed(1) : size === 0 ? "0" : value.toPrecision(2);
  };

  function seconds(value) {
    if (value < 1) {
      return digits(value * 1000) + " ms";
    }
    return value < 120 ? digits(value) + " s" : value < 7200 ? digits(value / 60) + " min" : value < 172800
      ? digits(value / 3600) + " h" : digits(value / 86400) + " d";
  }

  function bytes(value) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return digits(value) + " " + units[unit];
  }

  function format(unit, value) {
    if (value === null || value === undefined) {
      return "–";
    }
    return unit === "time" ? seconds(value) : unit === "bytes" ? bytes(value) : digits(value);
  }

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) {
      made.textContent = text;
    }
    if (className) {
      made.className = className;
    }
    return made;
  }

  const known = value => value !== null && value !== undefined;
  const stamp = time => new Date(time * 1000).toISOString().slice(0, 16).replace("T", " ");
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function swatch(index) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 28 10");
    svg.setAttribute("aria-hidden", "true");
    const line = document.createElementNS(SVG, "line");
    for (const [name, value] of [["x1", 0], ["y1", 5], ["x2", 28], ["y2", 5], ["stroke-width", 2.5],
      ["class", "s" + index], ["stroke-dasharray", DASHES[index].join(" ")]]) {
      line.setAttribute(name, value);
    }
    svg.append(line);
    return svg;
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
    const caption = element("figcaption", definition.title);
    caption.id = "caption-" + definition.id;
    box.setAttribute("aria-labelledby", caption.id);
    box.append(caption);
    const legend = element("ul", undefined, "legend");
    const outputs = definition.series.map(([key, label], i) => {
      const item = element("li");
      const output = element("output", "–");
      output.dataset.series = key;
      item.append(swatch(i), label + " ", output);
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
    const made = {definition, box, plot, outputs, details, region, data: null, chart: null};
    details.addEventListener("toggle", () => values(made));
    new ResizeObserver(() => {
      if (made.chart && plot.clientWidth > 0 && plot.clientWidth !== made.chart.width) {
        made.chart.setSize({width: plot.clientWidth, height: 190});
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
    head.append(...["time", ...made.definition.series.map(s => s[1])].map((text, i) => {
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

  function options(made, span) {
    const {definition, plot} = made;
    const axis = {stroke: colour("--soft"), grid: {stroke: colour("--line"), width: 1}, ticks: {stroke: colour("--line")}};
    const vertical = {...axis, size: 66, values: (u, ticks) => ticks.map(t => t === null ? "" : format(definition.unit, t))};
    if (definition.log) {
      vertical.filter = tens;
      vertical.grid = {...axis.grid, filter: tens};
      vertical.ticks = {...axis.ticks, filter: tens};
    } else if (STEPS[definition.unit]) {
      vertical.incrs = STEPS[definition.unit];
    }
    const scale = definition.log
      ? {distr: 3, range: (u, low, high) => [10 ** Math.floor(Math.log10(low || 0.001)), 10 ** Math.ceil(Math.log10(high || 1) + 0.01)]}
      : {range: (u, low, high) => [0, high > 0 ? high * 1.08 : 1]};
    return {
      width: Math.max(plot.clientWidth, 200), height: 190, legend: {show: false},
      tzDate: time => uPlot.tzDate(new Date(time * 1000), "Etc/UTC"),
      cursor: {sync: {key: "course-" + span}, y: false, drag: {x: false, y: false}},
      scales: {y: scale},
      axes: [{...axis, values: (u, times) => times.map(t => span === "hour" || span === "day" ? stamp(t).slice(11) : stamp(t).slice(5, 10)), space: 60},
        vertical],
      series: [{}, ...definition.series.map(([, label], i) => ({
        label, stroke: colour("--c" + i), width: 2, dash: DASHES[i], spanGaps: false,
        points: {size: 4, fill: colour("--c" + i), filter: alone}}))],
      hooks: {setCursor: [u => legend(made, u.cursor.idx)]},
    };
  }

  function show(series, span, anew) {
    const place = document.getElementById("charts");
    if (!shown.length) {
      DEFINITIONS.forEach(definition => {
        const made = figure(definition);
        shown.push(made);
        place.append(made.box);
      });
    }
    for (const made of shown) {
      const factor = made.definition.unit === "minute" ? 60 : 1;
      const columns = made.definition.series.map(([key]) =>
        series[key].map(value => value === null ? null : value * factor));
      made.data = [series.time, ...columns];
      if (anew && made.chart) {
        made.chart.destroy();
        made.chart = null;
      }
      if (made.chart) {
        made.chart.setData(made.data);
      } else {
        made.chart = new uPlot(options(made, span), made.data, made.plot);
      }
      legend(made, null);
      made.plot.setAttribute("aria-label", made.definition.title + ", last " + span + "; latest: "
        + made.definition.series.map((s, i) => s[1] + " " + made.outputs[i].textContent).join(", "));
      values(made);
    }
  }

  return {show, seconds, bytes, digits, element};
})();
