"use strict";

// What comes from jobs, certificates and clients is text: it goes into the page by textContent alone, never as HTML.
(() => {
  const REFRESH = 15000;
  const {element, seconds, bytes, digits} = Charts;
  const $ = id => document.getElementById(id);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let span = "hour";
  let drawn = null;
  let last = null;
  let timer = 0;
  let requested = 0;
  let token = sessionStorage.getItem("token") || "";

  async function get(path) {
    const headers = token ? {Authorization: "Bearer " + token} : {};
    const answer = await fetch(path, {headers, credentials: "same-origin", cache: "no-store"});
    let body = {};
    try {
      body = await answer.json();
    } catch (e) {
      // An answer without JSON has its status alone.
    }
    // Readiness is for everybody, and its answer says nothing about the reader's rights.
    if (path !== "health/ready") {
      $("token-form").hidden = answer.status !== 403 && answer.status !== 401;
      if (!answer.ok) {
        throw new Error(body.error || "the CE answered with status " + answer.status);
      }
    }
    return body;
  }

  function notice(text) {
    if ($("notice").textContent !== text) {
      $("notice").textContent = text;
    }
    $("notice").hidden = !text;
  }

  const STAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
  const known = value => value !== null && value !== undefined && value !== "";
  const text = value => known(value) ? String(value) : "–";
  const time = value => known(value) ? value.slice(0, 19).replace("T", " ") : "–";
  const took = value => known(value) ? seconds(value) : "–";

  /** Rows of a list: name, value, a key by which the value can be found, whether it is bad. */
  function list(id, rows) {
    $(id).replaceChildren(...rows.flatMap(([name, value, key, bad]) => {
      const shown = element("dd", text(value), bad ? "bad" : "");
      if (key) {
        shown.dataset.key = key;
      }
      return [element("dt", name), shown];
    }));
  }

  /** Cells: texts, or nodes. Those of the columns in "numbers" stand at the right. */
  function rows(id, all, numbers = []) {
    const body = $(id).tBodies[0];
    body.replaceChildren(...all.map(cells => {
      const row = element("tr");
      row.append(...cells.map((cell, i) => {
        const made = element("td");
        made.append(cell instanceof Node ? cell : text(cell));
        made.className = numbers.includes(i) ? "n" : STAMP.test(made.textContent) ? "stamp" : made.textContent.length > 24 ? "long" : "";
        return made;
      }));
      return row;
    }));
    if (!all.length) {
      const row = element("tr");
      const cell = element("td", "none", "soft");
      cell.colSpan = $(id).tHead.rows[0].cells.length;
      row.append(cell);
      body.append(row);
    }
  }

  function button(label, name, act) {
    const made = element("button", label);
    made.type = "button";
    made.setAttribute("aria-label", name);
    made.addEventListener("click", act);
    return made;
  }

  function showNow(now) {
    $("host").textContent = now.host;
    document.title = "Gelato CE " + now.host;
    list("jobs", Object.entries(now.jobs || {}).map(([state, n]) => [state, n, "jobs." + state]));
    list("lanes", [...(now.lanes || []).map(l => [l.lane, l.waiting + (known(l.oldestSeconds) ? ", oldest " + took(l.oldestSeconds) : ""),
      "lane." + l.lane]), ["under way", now.inFlight, "inFlight"]]);
    const batch = now.batch;
    list("batch", [["system", batch.name + (batch.version ? " " + batch.version : "")],
      ...(batch.api ? [["by", batch.api]] : []),
      ["hand-over", batch.paused ? "paused: " + batch.paused : "open", "paused", batch.paused],
      ...(batch.pauses || []).map(p => ["pauses", p, null, true]),
      ["at once", batch.window, "window"],
      ["last poll", took(batch.pollAgeSeconds) + " ago", null, batch.trouble],
      ["slots free", known(batch.slots) ? text(batch.freeSlots) + " of " + batch.slots : "–"],
      ...(batch.trouble ? [["polls fail", batch.trouble, null, true]] : [])]);
    list("ends", now.certificates.map(c => [c.what, c.seconds > 0 ? "in " + seconds(c.seconds) : "ended " + time(c.end), null, c.seconds < 604800
      && c.what === "host certificate" || c.seconds <= 0]).concat([["proxies within an hour", now.proxiesSoon]]));
    const process = now.process;
    list("process", [["descriptors", text(process.descriptors) + " of " + text(process.descriptorsMost)],
      ["JVM", known(process.jvmBytes) ? bytes(process.jvmBytes) : "–"], ["heap", known(process.heap) ? bytes(process.heap) : "–"],
      ["database", known(process.databaseBytes) ? bytes(process.databaseBytes) : "–"],
      ["helper", known(process.helperBytes) ? bytes(process.helperBytes) : "–"], ["threads", process.threads],
      ["commands started", process.commandStarts], ["workers started", process.workerStarts],
      ["helper, database started", text(process.helperStarts) + ", " + text(process.databaseStarts)]]);
    const admission = now.admission;
    $("open").textContent = admission.open ? "open" : "closed";
    $("open").className = admission.open ? "good" : "bad";
    const why = [admission.message, ...admission.drained].filter(known).join("; ");
    $("closed").textContent = why;
    $("closed").hidden = !why;
    rows("admission", admission.values.map(v => [v.what, known(v.value) ? digits(v.value) : "–", known(v.limit) ? v.limit : "none"]), [1, 2]);
  }

  function showHealth(report) {
    list("health", (report.checks || []).map(c =>
      [c.name, (c.ok ? c.degraded ? "degraded" : "ok" : "not ok") + (c.ok && !c.degraded ? "" : ": " + c.detail), "health." + c.name,
        !c.ok || c.degraded]));
  }

  const SHARES = [["vos", "VOs", "VO"], ["owners", "Owners", "owner"], ["queues", "Queues", "queue"], ["nodes", "Worker nodes", "node"]];
  const COLUMNS = ["registered", "waiting", "running", "held", "ended", "failed", "CPU", "mean run"];

  function makeShares() {
    for (const [id, title, name] of SHARES) {
      const region = element("div", undefined, "scroll");
      const heading = element("h3", title);
      heading.id = id + "-title";
      region.setAttribute("role", "region");
      region.setAttribute("aria-labelledby", heading.id);
      region.tabIndex = 0;
      const table = element("table");
      table.id = id;
      const head = element("tr");
      head.append(...[name, ...COLUMNS].map((label, i) => {
        const cell = element("th", label, i ? "n" : "");
        cell.scope = "col";
        return cell;
      }));
      table.createTHead().append(head);
      table.createTBody();
      region.append(table);
      $("shares").append(heading, region);
    }
  }

  function showTables(data) {
    // What a table leaves out is said beside it: it reads so many jobs, whatever is stored.
    $("tables-note").textContent = "Jobs that have not ended, and the " + data.ended + " that ended " + (data.ended >= data.endedMost
      ? "last, since " + time(data.endedSince) + "; those that ended earlier in the last " + data.span + " are not counted."
      : "in the last " + data.span + ".") + " Each table has the " + data.rowsMost + " rows with the most jobs.";
    $("failures-note").textContent = "Of the " + data.failuresOf + " jobs that failed " + (known(data.failuresSince)
      ? "last; before " + time(data.failuresSince) + " not all are counted." : "in the last " + data.span + ".")
      + " Purged jobs are not among them. The " + data.rowsMost + " most frequent reasons are shown.";
    for (const [id] of SHARES) {
      rows(id, data[id].map(share => {
        const name = share.name + (share.detail ? " " + share.detail : "");
        return [id === "owners" ? button(name, "Find the jobs of " + name, () => search(share.name)) : name,
          share.registered, share.waiting, share.running, share.held, share.ended, share.failed,
          share.ended ? took(share.cpuSeconds) : "–", took(share.meanRunSeconds)];
      }), [1, 2, 3, 4, 5, 6, 7, 8]);
    }
    rows("failures", data.failures.map(f => [f.reason, f.state, f.jobs, f.nodes, time(f.latest)]), [2, 3]);
    rows("ces", data.ces.map(c => [c.host, c.pid, time(c.started), time(c.heartbeat)]), [1]);
  }

  function draw(anew) {
    Charts.show(last.series, last.span, anew);
    drawn = last.span;
  }

  async function refresh() {
    clearTimeout(timer);
    const mine = ++requested;
    try {
      const wanted = span;
      const [data, health] = await Promise.all([get("dashboard/data?span=" + wanted), get("health/ready")]);
      if (mine !== requested) {
        return;
      }
      $("about").textContent = "version " + data.now.version + ", started " + time(data.now.started) + ", values of " + time(data.time);
      showNow(data.now);
      showHealth(health);
      if (data.series) {
        last = data;
        draw(drawn !== wanted);
        showTables(data);
      }
      notice(data.error || "");
      document.body.dataset.shown = wanted;
    } catch (e) {
      if (mine === requested) {
        notice(e.message === "Failed to fetch" ? "The CE does not respond; trying again." : e.message);
      }
    }
    if (mine === requested) {
      timer = setTimeout(() => document.hidden ? undefined : refresh(), REFRESH);
    }
  }

  async function search(wanted) {
    $("text").value = wanted;
    $("timeline").hidden = true;
    $("found").textContent = "searching …";
    try {
      const answer = await get("dashboard/jobs?text=" + encodeURIComponent(wanted));
      const jobs = answer.jobs;
      $("found").textContent = jobs.length === 0 ? "No job is known by this text."
        : jobs.length + (jobs.length === 1 ? " job" : " jobs") + (jobs.length >= answer.most ? ", the latest ones" : "");
      $("results-region").hidden = jobs.length === 0;
      rows("results", jobs.map(j => [button(j.id, "Where the time of " + j.id + " went", () => timeline(j.id)), j.state, time(j.registered),
        j.batchId, j.queue, j.node, j.dn + (j.fqan ? " " + j.fqan : "")]));
      if (jobs.length === 1) {
        await timeline(jobs[0].id);
      }
      $("find").scrollIntoView();
    } catch (e) {
      $("found").textContent = e.message;
    }
  }

  async function timeline(id) {
    try {
      const answer = await get("dashboard/jobs?id=" + encodeURIComponent(id));
      const stages = answer.stages;
      const all = stages.reduce((sum, s) => sum + (s.seconds || 0), 0);
      const job = answer.job;
      $("timeline-title").textContent = job.id + ": where " + (job.ended ? "the " + seconds(all) + " went" : seconds(all) + " went so far");
      const colours = {};
      const colourOf = state => colours[state] ??= Object.keys(colours).length % 6;
      $("bar").replaceChildren(...stages.filter(s => known(s.seconds)).map(s => {
        const part = element("i", undefined, "b" + colourOf(s.state));
        // Factors that make less than 1 together leave a part of the bar empty.
        part.style.flexGrow = 1000 * s.seconds / (all || 1);
        return part;
      }));
      rows("stages", stages.map(s => {
        const state = element("span");
        if (known(s.seconds)) {
          state.append(element("span", undefined, "key b" + colourOf(s.state)));
        }
        state.append(s.state);
        return [state, s.what, time(s.begin), known(s.seconds) ? seconds(s.seconds) + " (" + Math.round(100 * s.seconds / (all || 1)) + " %)" : "",
          [s.reason, s.description].filter(known).join("; ") || " "];
      }), [3]);
      const between = (from, to) => known(from) && known(to) ? seconds(Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000)) : "–";
      rows("commands", answer.commands.map(c => [c.kind, c.state, time(c.created), between(c.created, c.started),
        between(c.started, c.completed), c.tries, c.reason || " "]), [3, 4, 5]);
      list("job", [["state", job.state], ["owner", job.dn], ["FQAN", job.fqan], ["VO", job.vo], ["account", job.account],
        ["queue", job.queue], ["batch system's id", job.batchId], ["worker node", job.node], ["exit code", job.exitCode],
        ["reason", job.reason], ["description", job.description]]);
      $("timeline").hidden = false;
      $("timeline").dataset.job = job.id;
      $("timeline").focus({preventScroll: true});
    } catch (e) {
      $("found").textContent = e.message;
    }
  }

  $("spans").addEventListener("change", event => {
    span = event.target.value;
    refresh();
  });
  $("search").addEventListener("submit", event => {
    event.preventDefault();
    if ($("text").value.trim()) {
      search($("text").value);
    }
  });
  $("token-form").addEventListener("submit", event => {
    event.preventDefault();
    token = $("token").value.trim();
    $("token").value = "";
    sessionStorage.setItem("token", token);
    refresh();
  });
  dark.addEventListener("change", () => last && draw(true));
  document.addEventListener("visibilitychange", () => document.hidden || refresh());
  makeShares();
  refresh();
})();
