"use strict";

// What is read when, and which view is shown: #now, #machine, #jobs, #jobs/failed, #jobs/text/…, #jobs/reason/SPAN/STATE/…, #job/ID.
(() => {
  const REFRESH = 15000;
  const {$} = Dom;
  const VIEWS = {now: "now", machine: "machine", jobs: "jobs", job: "jobs"};
  let span = "hour";
  let last = null;
  let timer = 0;
  let requested = 0;
  let lost = null;
  let token = sessionStorage.getItem("token") || "";

  async function get(path, method = "GET") {
    const headers = token ? {Authorization: "Bearer " + token} : {};
    const answer = await fetch(path, {method, headers, credentials: "same-origin", cache: "no-store"});
    let body = {};
    try {
      body = await answer.json();
    } catch (e) {
      // An answer without JSON has its status alone.
    }
    if (!answer.ok) {
      const error = new Error(body.error || "the CE answered with status " + answer.status);
      error.status = answer.status;
      throw error;
    }
    return body;
  }

  function notice(words) {
    if ($("notice").textContent !== words) {
      $("notice").textContent = words;
    }
    $("notice").hidden = !words;
  }

  function allowed(is) {
    $("token-form").hidden = is;
  }

  function view() {
    const [name, ...rest] = location.hash.slice(1).split("/");
    const wanted = VIEWS[name] || "now";
    for (const of of ["now", "jobs", "machine"]) {
      $("view-" + of).hidden = of !== wanted || !last;
    }
    document.querySelectorAll("nav a").forEach(a => a.hash === "#" + wanted ? a.setAttribute("aria-current", "page") : a.removeAttribute("aria-current"));
    if (last) {
      draw();
    }
    return [name, rest.map(decodeURIComponent)];
  }

  /** Figures are drawn where they are seen: a hidden place has no width. */
  function draw() {
    if (!last.series) {
      return;
    }
    if (!$("view-now").hidden) {
      Charts.show($("area"), last.charts.filter(Charts.stacked), last, "");
    }
    if (!$("view-machine").hidden) {
      Charts.show($("charts"), last.charts.filter(c => !Charts.stacked(c)), last, "card");
    }
  }

  function go() {
    const [name, rest] = view();
    if (name === "job" && rest[0]) {
      Jobs.show(rest[0]);
    } else if (name === "jobs" && rest[0] === "text") {
      $("text").value = rest[1];
      Jobs.search("text=" + encodeURIComponent(rest[1]));
    } else if (name === "jobs" && rest[0] === "reason") {
      Jobs.search("span=" + encodeURIComponent(rest[1]) + "&state=" + encodeURIComponent(rest[2]) + "&reason=" + encodeURIComponent(rest.slice(3).join("/")), rest.slice(3).join("/"));
    } else if (name === "jobs") {
      const failed = rest[0] === "failed";
      $("text").value = "";
      Jobs.search("latest=" + (failed ? "failed" : "all"), null, failed ? "Jobs that failed last" : "Latest jobs");
    } else {
      Jobs.stop();
    }
    scrollTo(0, 0);
  }

  async function refresh() {
    clearTimeout(timer);
    const mine = ++requested;
    const wanted = span;
    try {
      const [hour, of] = await Promise.all([get("dashboard/data?span=hour"), wanted === "hour" ? null : get("dashboard/data?span=" + wanted)]);
      if (mine !== requested) {
        return;
      }
      lost = null;
      allowed(true);
      Dom.at(hour.time);
      const first = !last;
      const data = of || hour;
      last = data.series || !last ? data : last;
      $("loading").hidden = true;
      view();
      Now.show(hour, data);
      notice(hour.error ? hour.error[0].toUpperCase() + hour.error.slice(1) + "." : "");
      if (first) {
        go();
      } else {
        Jobs.again();
      }
      document.body.dataset.shown = wanted;
    } catch (e) {
      if (mine === requested) {
        $("loading").hidden = true;
        allowed(e.status !== 401 && e.status !== 403);
        lost = lost || new Date();
        notice(e.status ? e.message : "The CE does not respond since " + lost.toISOString().slice(11, 19) + " UTC; what is shown is from before. Trying again.");
      }
    }
    if (mine === requested) {
      timer = setTimeout(() => document.hidden ? undefined : refresh(), REFRESH);
    }
  }

  Jobs.begin(get);
  addEventListener("hashchange", go);
  $("spans").addEventListener("change", event => {
    span = event.target.value;
    refresh();
  });
  $("search").addEventListener("submit", event => {
    event.preventDefault();
    const words = $("text").value.trim();
    if (words) {
      const hash = "#jobs/text/" + encodeURIComponent(words);
      if (location.hash === hash) {
        go();
      }
      location.hash = hash;
    }
  });
  $("token-form").addEventListener("submit", event => {
    event.preventDefault();
    token = $("token").value.trim();
    $("token").value = "";
    sessionStorage.setItem("token", token);
    refresh();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => last && draw());
  document.addEventListener("visibilitychange", () => document.hidden || refresh());
  document.querySelector(".skip").addEventListener("click", event => {
    // The hash is the view's.
    event.preventDefault();
    $("main").focus();
  });
  refresh();
})();
