"use strict";

// What comes from jobs, certificates and clients is text: it goes into the page by textContent alone, never as HTML.
const Dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const $ = id => document.getElementById(id);
  const known = value => value !== null && value !== undefined && value !== "";
  const text = value => known(value) ? String(value) : "–";
  /** The CE's clock at its last answer: the browser's may be wrong. */
  let clock = Date.now();

  function element(name, content, className) {
    const made = document.createElement(name);
    if (content !== undefined && content !== null) {
      made.append(...[content].flat().map(c => c instanceof Node ? c : String(c)));
    }
    if (className) {
      made.className = className;
    }
    return made;
  }

  function drawn(name, attributes, ...children) {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.append(...children);
    return made;
  }

  const digits = value => {
    const size = Math.abs(value);
    return size >= 100 || Number.isInteger(value) ? Math.round(value).toString()
      : size >= 1 ? value.toFixed(1) : size === 0 ? "0" : value.toPrecision(2);
  };

  /** Groups of three, by a space that does not break. */
  const count = value => known(value) ? Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f") : "–";

  function seconds(value) {
    if (value < 1) {
      return digits(value * 1000) + " ms";
    }
    return value < 120 ? digits(value) + " s" : value < 7200 ? digits(value / 60) + " min" : value < 172800
      ? digits(value / 3600) + " h" : digits(value / 86400) + " d";
  }

  /** The same without a fraction: "3 min". */
  function rough(value) {
    return value < 120 ? Math.round(value) + " s" : value < 7200 ? Math.round(value / 60) + " min" : value < 172800
      ? Math.round(value / 3600) + " h" : Math.round(value / 86400) + " d";
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

  const stamp = iso => iso.slice(0, 19).replace("T", " ") + " UTC";
  const took = value => known(value) ? seconds(value) : "–";
  const age = iso => (clock - Date.parse(iso)) / 1000;

  /** A time as people say it, with the exact one in its title. */
  function ago(iso) {
    if (!known(iso)) {
      return "–";
    }
    const past = age(iso);
    const made = element("time", past >= 0 ? rough(past) + " ago" : "in " + rough(-past));
    made.dateTime = iso;
    made.title = stamp(iso);
    return made;
  }

  /** Rows of a list: name, value, a key by which the value can be found, whether it is bad. */
  function list(id, rows) {
    $(id).replaceChildren(...rows.flatMap(([name, value, key, bad]) => {
      const shown = element("dd", value instanceof Node ? value : text(value), bad ? "bad" : "");
      if (key) {
        shown.dataset.key = key;
      }
      return [element("dt", name), shown];
    }));
  }

  /** Cells: texts, or nodes. Those of the columns in "numbers" stand at the right. */
  function rows(table, all, numbers = [], none = "none") {
    const body = table.tBodies[0];
    body.replaceChildren(...all.map(cells => {
      const row = element("tr");
      row.append(...cells.map((cell, i) => {
        const made = element("td", cell instanceof Node || Array.isArray(cell) ? cell : text(cell));
        made.className = numbers.includes(i) ? "n" : made.textContent.length > 24 ? "long" : "";
        return made;
      }));
      return row;
    }));
    if (!all.length) {
      const cell = element("td", none, "soft");
      cell.colSpan = table.tHead.rows[0].cells.length;
      body.append(element("tr", cell));
    }
  }

  function button(label, name, act) {
    const made = element("button", label, "link");
    made.type = "button";
    made.setAttribute("aria-label", name);
    made.addEventListener("click", act);
    return made;
  }

  function link(label, hash) {
    const made = element("a", label);
    made.href = hash;
    return made;
  }

  /** The common name of a DN, as a name is read at once and a DN is not. */
  const commonName = dn => (/(?:^|,)CN=((?:[^,\\]|\\.)+)/.exec(dn) || [null, dn])[1];

  /** Commands to be typed: one click selects one. */
  const commands = all => element("ul", all.map(c => element("li", element("code", c))), "commands");

  /** Signs of states; each stands beside its word, as colour says nothing alone. */
  const SIGNS = {ok: "✓", note: "i", warning: "!", error: "×"};
  function sign(level) {
    const made = element("span", SIGNS[level], "sign " + level);
    made.setAttribute("aria-hidden", "true");
    return made;
  }

  return {$, known, text, element, drawn, digits, count, seconds, rough, bytes, stamp, took, age, ago, list, rows, button, link, commonName, commands, sign,
    at: iso => { clock = Date.parse(iso); }};
})();
