"use strict";

// The view of now: the verdict, five numbers, what happened lately. Data of the last hour, and of the chosen span.
const Now = (() => {
  const {sum, times} = Charts;
  const {$, known, text, element, drawn, count, rough, took, age, ago, rows, button, link, commonName, commands, sign, digits, list, seconds} = Dom;
  const LEVELS = {ok: "All is well", note: "Wanted", warning: "Warning", error: "Error"};
  let opened = null;

  function problem(p) {
    const parts = [];
    const words = element("p");
    if (known(p.since)) {
      words.append("Since " + Dom.stamp(p.since).slice(age(p.since) < 86400 ? 11 : 0, 16) + " UTC (", ago(p.since), "). ");
    }
    words.append(p.text);
    parts.push(words);
    if (p.commands.length) {
      parts.push(commands(p.commands));
    }
    if (known(p.said)) {
      parts.push(element("p", [element("span", "In its words: ", "soft"), element("q", p.said)], "said"));
    }
    if (p.level !== "note") {
      parts.push(element("p", link("More symptoms, and what to do", "docs/admin/day-two.html#symptoms"), "small"));
    }
    return parts;
  }

  function verdict(data) {
    const {level, calm, problems} = data.verdict;
    const first = problems[0];
    const state = level === "note" ? "ok" : level;
    $("verdict").className = state;
    const title = first && level !== "note" ? first.title : "Everything works";
    if ($("verdict-title").dataset.text !== title) {
      $("verdict-title").dataset.text = title;
      const word = element("span", LEVELS[state] + ": ", "hidden");
      $("verdict-title").replaceChildren(sign(state), word, title);
    }
    $("problem").replaceChildren(...(first && level !== "note" ? problem(first) : calm ? [element("p", calm)] : []));
    $("others").replaceChildren(...(level === "note" ? problems : problems.slice(1)).map(p => {
      const fold = element("details", element("summary", [sign(p.level), element("span", LEVELS[p.level] + ": ", "hidden"), p.title]));
      fold.append(...problem(p));
      return fold;
    }));
    // What an administrator wants so is no fault.
    const noted = c => problems.some(p => p.check === c.name) && problems.every(p => p.check !== c.name || p.level === "note");
    const failing = data.checks.filter(c => (!c.ok || c.degraded) && !noted(c)).length;
    $("checks-summary").textContent = !data.checks.length ? "The first checks are under way"
      : failing ? "Checks: " + failing + " of " + data.checks.length + " not in order" : "Checks: all " + data.checks.length + " in order";
    $("checks").replaceChildren(...data.checks.map(c => {
      const of = noted(c) ? "note" : c.ok ? c.degraded ? "warning" : "ok" : "error";
      const made = element("li", [sign(of), element("b", c.name), " ", element("span", c.ok ? c.degraded ? "degraded" : "ok" : "not ok"), ": " + text(c.detail)]);
      if (known(c.since)) {
        made.append(" (", ago(c.since), ")");
      }
      made.dataset.key = "health." + c.name;
      return made;
    }));
  }

  const NUMBERS = [
    {id: "running", label: "running", tone: "run", series: s => sum(s, ["jobs_running", "jobs_really_running"])},
    {id: "waiting", label: "waiting", tone: "wait", series: s => sum(s, ["jobs_pending", "jobs_idle"])},
    {id: "rate", label: "handed over / min", tone: "wait", series: s => times(s.handed_over, 60)},
    {id: "failed", label: "failed, last hour", tone: "fail", series: s => times(sum(s, ["done_failed", "aborted"]), 60)},
    {id: "oldest", label: "oldest waiting job", tone: "here", unit: "time", series: s => s.oldest_job},
  ];

  const of = (jobs, ...states) => jobs ? states.reduce((all, s) => all + (jobs[s] || 0), 0) : null;

  /** Where the batch system does not respond, its last values are shown with their time behind them, and nothing else is. */
  const asOf = time => known(time) ? "as of " + Dom.stamp(time).slice(age(time) < 86400 ? 11 : 0, 16) + " UTC" : "";
  const dated = (words, when) => words + (when ? " (" + when + ")" : "");
  const polled = batch => known(batch.notPolledSince) ? asOf(batch.notPolledSince).replace("as of", "not polled since the start at") : asOf(batch.asOf);

  function values(data) {
    const {now} = data;
    const series = data.series;
    const batch = now.batch;
    const running = of(now.jobs, "RUNNING", "REALLY-RUNNING");
    const here = of(now.jobs, "PENDING");
    const there = of(now.jobs, "IDLE");
    const held = of(now.jobs, "HELD");
    const rate = series ? Charts.latest(times(series.handed_over, 60)) : null;
    const first = data.failures && data.failures[0];
    const old = known(batch.asOf) ? batch.asOf : batch.notPolledSince;
    const most = data.failuresSince !== null && known(data.failuresSince);
    return {
      running: [count(running), known(old) ? polled(batch) : known(batch.slots)
        ? dated(text(batch.freeSlots) + " of " + batch.slots + " slots free", asOf(batch.slotsAsOf)) : held ? held + " held" : " ", null, old],
      waiting: [count(here === null ? null : here + there), here === null ? " " : count(here) + " here, " + dated(count(there) + " in " + batch.name, polled(batch)), null, old],
      rate: [rate === null ? "–" : digits(rate), batch.paused ? "paused" : series && known(Charts.latest(series.hand_over_p50))
        ? "half within " + seconds(Charts.latest(series.hand_over_p50)) : " "],
      failed: [known(data.failuresOf) ? count(data.failuresOf) + (most ? "+" : "") : "–", first ? first.jobs + " × " + first.reason : " "],
      oldest: now.oldest ? [rough(age(now.oldest.since)), null, now.oldest] : [now.jobs ? "none" : "–", " "],
    };
  }

  function five(data) {
    const shown = values(data);
    if (!$("five").childElementCount) {
      for (const number of NUMBERS) {
        const card = element("div", undefined, "card number " + number.tone);
        card.id = "number-" + number.id;
        const open = element("button", [element("span", number.label, "label"), element("span", "–", "value"), element("span", undefined, "spark")]);
        open.type = "button";
        open.setAttribute("aria-expanded", "false");
        open.setAttribute("aria-controls", "graph");
        open.addEventListener("click", () => {
          opened = opened === number.id ? null : number.id;
          graph();
        });
        card.append(open, element("p", undefined, "detail"));
        $("five").append(card);
      }
    }
    for (const number of NUMBERS) {
      const card = $("number-" + number.id);
      const [value, detail, job, old] = shown[number.id];
      card.querySelector(".value").textContent = value;
      card.querySelector(".value").dataset.key = "number." + number.id;
      card.classList.toggle("old", known(old));
      card.classList.toggle("fails", number.id === "failed" && value !== "0" && value !== "–");
      const small = card.querySelector(".detail");
      small.replaceChildren(...(job ? [link(job.id, "#job/" + job.id), " " + (known(job.description) ? job.description : job.state === "IDLE" ? "in " + data.now.batch.name : "here")] : [detail]));
      small.title = job ? text(job.description) : detail;
      card.querySelector(".spark").replaceChildren(...(data.series ? [Charts.spark(number.series(data.series))] : []));
    }
  }

  /** The last data of the chosen span, for the graph that is open. */
  let last = null;

  function graph() {
    const number = NUMBERS.find(n => n.id === opened);
    NUMBERS.forEach(n => $("number-" + n.id).firstChild.setAttribute("aria-expanded", String(n.id === opened)));
    $("graph").hidden = !number || !last || !last.series;
    if (!$("graph").hidden) {
      Charts.single($("graph"), {id: "number", title: number.label, unit: number.unit || (number.id === "rate" ? "rate" : "jobs"), lines: {[number.label]: []}, tones: [number.tone]},
        [last.series.time, number.series(last.series)], last.span);
    }
  }

  function drained(data, kind, name) {
    const drain = data.now.drains.find(d => d.kind === kind && d.name === name);
    if (!drain) {
      return null;
    }
    const made = element("span", "drained", "tag");
    made.title = known(drain.reason) ? drain.reason : "";
    return made;
  }

  /** All of the DN is in the title. */
  function owner(share) {
    const full = share.name + (share.detail ? " " + share.detail : "");
    const made = button(commonName(share.name), "Find the jobs of " + full, () => { location.hash = "#jobs/text/" + encodeURIComponent(share.name); });
    made.title = full;
    return [made, " ", element("span", share.detail, "small")];
  }

  const SHARES = [["vos", "VO"], ["owners", "owner"], ["queues", "queue"], ["nodes", "node"]];
  const COLUMNS = ["running", "waiting", "ended", "failed", "exit ≠ 0", "CPU", "mean run"];

  function shares(data) {
    for (const [id, name] of SHARES) {
      const region = $(id + "-region");
      if (!region.firstChild) {
        region.className = "scroll";
        region.setAttribute("role", "region");
        region.setAttribute("aria-label", name + "s with their jobs");
        region.tabIndex = 0;
        const table = element("table");
        table.id = id;
        table.createTHead().append(element("tr", [name, ...COLUMNS].map((label, i) => {
          const cell = element("th", label, i ? "n" : "");
          cell.scope = "col";
          return cell;
        })));
        table.createTBody();
        region.append(table);
      }
      const rest = id === "nodes" ? "no job has run on a node" : "no jobs";
      rows($(id), data[id].map(share => {
        const full = share.name + (share.detail ? " " + share.detail : "");
        const label = id === "owners" ? owner(share) : [full];
        const tag = id === "vos" ? drained(data, "vo", share.name) : id === "queues" ? drained(data, "queue", share.name.replace(/^[^-]*-/, "")) : null;
        if (tag) {
          label.push(" ", tag);
        }
        const waiting = element("span", count(share.waiting));
        const more = [share.registered && share.registered + " not started by their users", share.held && share.held + " held"].filter(Boolean);
        if (more.length) {
          waiting.append(" +" + (share.registered + share.held));
          waiting.title = more.join(", ");
        }
        return [label, count(share.running), waiting, count(share.ended), share.failed ? element("b", count(share.failed), "bad") : "0",
          count(share.nonZero), share.ended ? took(share.cpuSeconds) : "–", took(share.meanRunSeconds)];
      }), [1, 2, 3, 4, 5, 6, 7], rest);
    }
  }

  function failures(data) {
    rows($("failures"), data.failures.map(f => [
      button(f.reason, "Show the jobs that failed for: " + f.reason, () => {
        location.hash = "#jobs/reason/" + [data.span, f.state, f.reason].map(encodeURIComponent).join("/");
      }), count(f.jobs), count(f.nodes), ago(f.latest)]), [1, 2], "no job failed");
    $("failures-note").textContent = data.failuresOf === 0 ? "" : "Of the " + data.failuresOf + " jobs that failed "
      + (known(data.failuresSince) ? "last; before " + Dom.stamp(data.failuresSince) + " not all are counted." : "in the last " + data.span + ".")
      + " Purged jobs are not among them.";
  }

  /** Shares of a bar, each with its word and value in the legend. */
  function time(data) {
    const stages = data.stages;
    const parts = [["here", "here", stages.here], ["wait", "in " + data.now.batch.name, stages.batch], ["run", "running", stages.running]];
    if (!stages.jobs) {
      $("time").replaceChildren(element("p", "No job that ended in the last " + data.span + " is stored.", "soft"));
      return;
    }
    const bar = element("div", parts.map(([tone, , value]) => {
      const part = element("i", undefined, tone);
      part.style.flexGrow = 1000 * value / (parts.reduce((all, p) => all + p[2], 0) || 1);
      return part;
    }), "bar");
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", parts.map(p => p[1] + " " + seconds(p[2])).join(", "));
    $("time").replaceChildren(bar, element("ul", parts.map(([tone, label, value]) =>
      element("li", [element("i", undefined, "key " + tone), label + " ", element("b", seconds(value))])), "legend"),
    element("p", "Medians of the " + count(stages.jobs) + (stages.jobs === 1 ? " job" : " jobs") + " that ended last.", "small"));
  }

  function suspects(data) {
    $("suspects").replaceChildren(data.suspects.length ? element("ul", data.suspects.map(s =>
      element("li", [sign("warning"), element("b", s.node), ": " + s.bad + " of " + s.ended + " jobs failed or exited with a code other than 0; elsewhere " + digits(s.othersPercent) + " %"])), "plain")
      : element("p", "No node stands out.", "soft"));
  }

  function closed(data) {
    const {drains, bans} = data.now;
    const row = (what, c) => element("li", [element("span", what, "tag"), " ", element("b", c.kind === "all" ? "the whole CE" : c.kind + " " + c.name),
      " ", ago(c.since), ": ", known(c.reason) ? c.reason : "no reason given", element("span", known(c.by) ? " (by " + c.by + ")" : "", "soft")]);
    $("closed").replaceChildren(drains.length + bans.length
      ? element("ul", [...drains.map(d => row("drained", d)), ...bans.map(b => row("banned", b))], "plain")
      : element("p", "Nothing is drained, nobody is banned by an administrator.", "soft"));
    if (bans.length >= data.now.bansMost) {
      $("closed").append(element("p", "The latest " + bans.length + " bans; all are shown by ce ban --list.", "small"));
    }
  }

  function machine(data) {
    const now = data.now;
    list("states", Object.entries(now.jobs || {}).map(([state, n]) => [state, count(n), "jobs." + state]));
    list("lanes", [...(now.lanes || []).map(l => [l.lane, l.waiting + (known(l.oldestSeconds) ? ", oldest " + took(l.oldestSeconds) : ""),
      "lane." + l.lane]), ["under way", now.inFlight, "inFlight"]]);
    const batch = now.batch;
    list("batch", [["system", batch.name + (batch.version ? " " + batch.version : "")],
      ...(batch.api ? [["by", batch.api]] : []),
      ["hand-over", batch.paused ? "paused" : "open", "paused", batch.paused],
      ["at once", batch.window, "window"],
      ["last poll", took(batch.pollAgeSeconds) + " ago", null, batch.trouble],
      ["slots free", known(batch.slots) ? dated(text(batch.freeSlots) + " of " + batch.slots, asOf(batch.slotsAsOf)) : "–"],
      ...(batch.pauses || []).map(p => ["pauses", p, null, true])]);
    list("ends", now.certificates.map(c => [c.what, ago(c.end), null, c.seconds < 604800 && c.what === "host certificate" || c.seconds <= 0])
      .concat([["proxies within an hour", text(now.proxiesSoon)]]));
    const process = now.process;
    list("process", [["descriptors", text(process.descriptors) + " of " + text(process.descriptorsMost)],
      ["threads", process.threads],
      ["commands started", process.commandStarts], ["workers started", process.workerStarts],
      ["helper, database started", text(process.helperStarts) + ", " + text(process.databaseStarts)]]);
    $("open").textContent = now.admission.open ? "open" : "closed";
    $("open").className = now.admission.open ? "good" : "bad";
    rows($("admission"), now.admission.values.map(v => [v.what, known(v.value) ? digits(v.value) : "–", known(v.limit) ? v.limit : "none"]), [1, 2]);
  }

  /** @param hour data of the last hour  @param data those of the chosen span */
  function show(hour, data) {
    const now = hour.now;
    $("host").textContent = now.host;
    document.title = (hour.verdict.level === "error" || hour.verdict.level === "warning" ? "! " : "") + now.host + ": Gelato CE";
    $("about").replaceChildren("Gelato CE " + text(now.version) + " · " + now.batch.name + (now.batch.version ? " " + now.batch.version : "")
      + (now.batch.api ? " by " + now.batch.api : "") + " · started ", ago(now.started), " · values of " + hour.time.slice(11, 19) + " UTC");
    verdict(hour);
    five(hour);
    machine(hour);
    closed(hour);
    if (!data.series) {
      return;
    }
    const none = now.jobs && Object.values(now.jobs).every(n => n === 0) && data.ended === 0 && data.failuresOf === 0;
    $("empty").hidden = !none;
    last = data;
    graph();
    failures(data);
    time(data);
    shares(data);
    suspects(data);
    $("ces") && rows($("ces"), data.ces.map(c => [c.host, c.pid, ago(c.started), ago(c.heartbeat)]), [1]);
    // What a table leaves out is said beside it: it reads so many jobs, whatever is stored.
    $("tables-note").textContent = "Tables: jobs that have not ended, and the " + data.ended + " that ended " + (data.ended >= data.endedMost
      ? "last, since " + Dom.stamp(data.endedSince) + "; those that ended earlier in the last " + data.span + " are not counted."
      : "in the last " + data.span + ".") + " Each has the " + data.rowsMost + " rows with the most jobs.";
  }

  return {show};
})();
