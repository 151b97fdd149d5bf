// The search: its index is loaded when somebody is about to use it.
"use strict";
(() => {
  const MOST = 15;
  const EXCERPT = 160;
  const top = document.currentScript.dataset.top;
  const form = document.getElementById("search");
  const words = document.getElementById("words");
  const results = document.getElementById("results");
  let loading;

  // What people call what the pages have by another name.
  const ALSO = {
    "proxy expired": ["proxy ended", "renew proxy"],
    "expired": ["ended"],
    "stdin": ["standard input", "stdinput"],
    "stdout": ["standard output", "stdoutput"],
    "resubmit": ["submit again"],
    "array": ["scans"],
    "uninstall": ["apt-get purge"],
    "cancel all": ["ce cancel"],
  };

  // The words themselves, or with what is in ALSO in place of a part of them.
  function meant(query) {
    const lower = query.toLowerCase();
    const spaced = " " + lower + " ";
    const others = Object.keys(ALSO).filter(key => spaced.includes(" " + key + " "))
      .flatMap(key => ALSO[key].map(other => spaced.replace(" " + key + " ", " " + other + " ").trim()));
    return { combineWith: "OR", queries: [lower, ...others].map(one => ({ combineWith: "AND", queries: [one] })) };
  }

  // Pages of developers, and of what has changed, come last; what programs read behind what people do.
  const late = one => !/^(user|admin)\//.test(one.id) ? 2 : /^user\/json/.test(one.id) ? 1 : 0;

  function script(name) {
    return new Promise((done, failed) => {
      const element = document.createElement("script");
      element.src = top + name;
      element.addEventListener("load", done);
      element.addEventListener("error", () => failed(new Error(name + " could not be loaded")));
      document.head.append(element);
    });
  }

  function load() {
    loading ??= Promise.all([script("minisearch.js"), script("search-index.js")]).then(() => {
      const index = new MiniSearch({
        fields: ["title", "page", "text"],
        storeFields: ["title", "page", "text"],
        searchOptions: { prefix: true, fuzzy: word => word.length > 5 ? 0.15 : false, combineWith: "AND", boost: { title: 4, page: 2 } },
      });
      index.addAll(window.manualIndex.map(([id, page, title, text]) => ({ id, page, title, text })));
      return index;
    }).catch(error => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }

  // What stands around the first word that was found.
  function excerpt(found) {
    const lower = found.text.toLowerCase();
    const places = found.terms.map(term => lower.indexOf(term)).filter(place => place >= 0);
    const begin = Math.max(0, Math.min(...places, lower.length) - EXCERPT / 4);
    const from = places.length === 0 ? 0 : begin;
    return (from > 0 ? "… " : "") + found.text.slice(from, from + EXCERPT) + (found.text.length > from + EXCERPT ? " …" : "");
  }

  async function show() {
    const query = words.value.trim();
    results.hidden = query === "";
    if (query === "") {
      return;
    }
    try {
      const found = (await load()).search(meant(query)).sort((a, b) => late(a) - late(b));
      if (words.value.trim() !== query) {
        return;
      }
      const list = document.createElement("ul");
      for (const one of found.slice(0, MOST)) {
        const item = document.createElement("li");
        const link = element("a", one.page === one.title ? one.page : one.page + ": " + one.title);
        link.href = top + one.id;
        item.append(link, element("p", excerpt(one)));
        list.append(item);
      }
      const count = found.length === 0 ? "Nothing was found for all of these words."
        : found.length > MOST ? found.length + " places, the best " + MOST + ":" : found.length === 1 ? "1 place:" : found.length + " places:";
      results.replaceChildren(element("p", count), list);
    } catch (error) {
      results.replaceChildren(element("p", "The search does not work: " + error.message));
    }
  }

  form.hidden = false;
  form.addEventListener("submit", event => {
    event.preventDefault();
    results.querySelector("a")?.focus();
  });
  words.addEventListener("focus", () => load().catch(() => {}), { once: true });
  words.addEventListener("input", show);
  results.addEventListener("click", event => {
    if (event.target.closest("a")) {
      results.hidden = true;
    }
  });
})();
