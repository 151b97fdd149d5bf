"use strict";

// The view of jobs: the search, and the page of one job with its course, and what it says while it runs.
const Jobs = (() => {
  const {$, known, text, element, count, seconds, took, ago, rows, list, link, commonName, sign, stamp} = Dom;
  const TONES = {REGISTERED: "soft", PENDING: "here", IDLE: "wait", RUNNING: "run", "REALLY-RUNNING": "run", HELD: "held"};
  const WAITING = ["REGISTERED", "PENDING", "IDLE", "HELD"];
  const POLL = 3000;
  const MOST = 256 << 10;
  let get = null;
  let polling = 0;
  let wanted = 0;

  const tag = state => element("span", [sign(state === "DONE-OK" ? "ok" : state === "DONE-FAILED" || state === "ABORTED" ? "error"
    : state === "HELD" || state === "CANCELLED" ? "warning" : "note"), state], "state");

  /** Why a job of a list failed, or that its program did. */
  const failed = job => [job.reason, job.exitCode ? "exit code " + job.exitCode : null].filter(known).map(words => element("div", words, "small"));

  function owner(job) {
    const made = element("span", [commonName(job.dn), " ", element("span", job.fqan, "small")]);
    made.title = job.dn;
    return made;
  }

  /** @param title of a list that nobody searched for: one job is a list, too */
  function found(answer, title) {
    const jobs = answer.jobs;
    $("results-title").textContent = title || "Found";
    $("found").textContent = jobs.length === 0 ? title ? "There are none." : "No job is known by this text."
      : jobs.length + (jobs.length === 1 ? " job" : " jobs") + (jobs.length >= answer.most ? ", the latest ones" : "");
    // Of one job its page says more.
    $("results-card").hidden = jobs.length < (title ? 1 : 2);
    rows($("results"), jobs.map(j => [link(j.id, "#job/" + j.id), [tag(j.state), ...failed(j)], ago(j.registered), j.batchId, j.queue, j.node, j.vo,
      owner(j)]));
    return jobs;
  }

  async function search(query, label, title) {
    stop();
    const mine = wanted;
    $("job").hidden = true;
    $("results-card").hidden = true;
    $("found").textContent = "searching …";
    try {
      const answer = await get("dashboard/jobs?" + query);
      if (mine !== wanted) {
        return;
      }
      const jobs = found(answer, title);
      if (label) {
        $("found").textContent += " that failed for: " + label;
      }
      if (jobs.length === 1 && !title) {
        await show(jobs[0].id);
      }
    } catch (e) {
      if (mine === wanted) {
        $("found").textContent = e.message;
      }
    }
  }

  /** One row for each stage: its bar begins where the one before ended. */
  function course(stages) {
    const begin = stages.length ? Date.parse(stages[0].begin) : 0;
    const end = Math.max(...stages.map(s => Date.parse(s.begin) + 1000 * (s.seconds || 0)));
    const all = Math.max(1, end - begin);
    rows($("stages"), stages.map(s => {
      const lane = element("div", undefined, "course");
      if (known(s.seconds)) {
        const bar = element("i", undefined, TONES[s.state] || "soft");
        bar.style.marginLeft = Math.min(99.5, 100 * (Date.parse(s.begin) - begin) / all) + "%";
        bar.style.width = Math.max(0.5, 100000 * s.seconds / all) + "%";
        lane.append(bar);
      }
      const why = [s.reason, s.description].filter(known).join("; ");
      return [s.state, ago(s.begin), known(s.seconds) ? seconds(s.seconds) : " ", lane, s.what + (why ? ": " + why : "")];
    }), [2]);
    return (end - begin) / 1000;
  }

  /** @param again whether it is shown already: then what it writes goes on, and the focus stays where it is */
  async function show(id, again) {
    if (!again) {
      stop();
    }
    const mine = wanted;
    try {
      const answer = await get("dashboard/jobs?id=" + encodeURIComponent(id));
      // Meanwhile another job, or a list, may be wanted.
      if (mine !== wanted) {
        return;
      }
      const {job, stages} = answer;
      const all = course(stages);
      $("found").textContent = "";
      $("job-title").textContent = job.id;
      $("job-state").replaceChildren(tag(job.state), " since ", ago(job.since), known(job.exitCode) ? ", exit code " + job.exitCode : "",
        (job.ended ? ", took " : ", so far ") + seconds(all));
      const why = [job.reason, job.description].filter(known).join("; ");
      $("job-why").className = known(job.reason) ? "said fail" : "said";
      $("job-why").replaceChildren(...(WAITING.includes(job.state)
        ? [element("b", "Why it waits: "), why || (job.state === "REGISTERED" ? "its user has not started it" : "no reason is known yet")]
        : why ? [element("b", known(job.reason) ? "Why it failed: " : ""), why] : []));
      $("job-why").hidden = !$("job-why").textContent;
      const between = (from, to) => known(from) && known(to) ? seconds(Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000)) : "–";
      rows($("commands"), answer.commands.map(c => [c.kind, c.state, ago(c.created), between(c.created, c.started),
        between(c.started, c.completed), c.tries, c.reason || " "]), [3, 4, 5]);
      const labels = Object.entries(job.labels || {}).map(([name, value]) => name + "=" + value).join(", ");
      list("job-facts", [["name", job.name], ["labels", labels || null], ["owner", job.dn], ["FQAN", job.fqan], ["VO", job.vo], ["account", job.account], ["queue", job.queue],
        ["batch system's id", job.batchId], ["worker node", job.node], ["registered", known(job.registered) ? stamp(job.registered) : "–"]]);
      $("support").replaceChildren(...answer.support.map(c => element("li", element("code", c))));
      $("job").hidden = false;
      $("job").dataset.job = job.id;
      $("job").dataset.ended = job.ended || "";
      if (!again) {
        $("job").focus({preventScroll: true});
        follow(job);
      }
    } catch (e) {
      if (mine === wanted) {
        $("job").hidden = !again;
        $("found").textContent = e.message;
      }
    }
  }

  /** Reads the job that is shown once more, unless it has ended. */
  function again() {
    if (!$("view-jobs").hidden && !$("job").hidden && !$("job").dataset.ended) {
      show($("job").dataset.job, true);
    }
  }

  function stop() {
    clearTimeout(polling);
    wanted++;
    $("live").replaceChildren();
    $("live").hidden = true;
    $("live-ask").hidden = true;
    $("live-note").textContent = "";
  }

  /** What the job writes: a page at first, then what is new, for as long as its page is open. */
  function follow(job) {
    const mine = ++wanted;
    const path = "jobs/" + job.id + "/messages";
    let after = "0";
    let shown = 0;
    $("live-note").textContent = "Reading …";

    async function next() {
      try {
        const answer = await get(path + "?limit=1000&after=" + encodeURIComponent(after));
        if (mine !== wanted) {
          return;
        }
        const atEnd = $("live").scrollHeight - $("live").scrollTop - $("live").clientHeight < 40;
        for (const message of answer.messages) {
          const output = message.kind === "stdout" || message.kind === "stderr";
          const line = output ? message.text : message.sent.slice(11, 19) + " " + (message.key ? message.key + ": " : "") + message.text + "\n";
          if (shown < MOST) {
            $("live").append(element("span", line, message.kind + (message.level === "error" ? " error" : "")));
          }
          shown += line.length;
        }
        $("live").hidden = shown === 0;
        if (atEnd) {
          $("live").scrollTop = $("live").scrollHeight;
        }
        after = answer.next;
        $("live-ask").hidden = !!job.ended || answer.complete;
        $("live-note").textContent = shown >= MOST ? "The first " + count(MOST / 1024) + " KiB; ce messages shows all."
          : answer.complete ? shown ? "The job has ended; this is all it sent." : "The job sent no messages. Its output is in its files: ce output " + job.id
            : shown ? "Live: what it writes appears here." : "Nothing yet.";
        if (!answer.complete && shown < MOST) {
          polling = setTimeout(next, answer.more ? 0 : POLL);
        }
      } catch (e) {
        if (mine === wanted) {
          $("live-note").textContent = e.status === 401 || e.status === 403 || e.status === 404
            ? "Not allowed: what a job writes is shown to its owner and to administrators, by their certificate or a token." : e.message;
          if (!(e.status >= 400 && e.status < 500)) {
            polling = setTimeout(next, 5 * POLL);
          }
        }
      }
    }

    $("live-ask").onclick = async () => {
      try {
        await get("jobs/" + job.id + "/live-output", "POST");
        $("live-note").textContent = "Asked; the output comes as soon as the worker node sends it.";
      } catch (e) {
        $("live-note").textContent = e.message;
      }
    };
    next();
  }

  return {search, show, again, stop, begin: by => { get = by; }};
})();
