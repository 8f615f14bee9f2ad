/** Following the table: by a live stream if one is available, else by polling every two seconds. */

import { BASE, byId } from "./dom.js";
import { notice } from "./server.js";
import { t } from "./texts.js";

const POLL = 2000; // ms
const SILENCE = 10000; // ms without a heartbeat (one comes every 3 s) until the stream counts as dead
const RETRY_STREAM = 20000; // ms until the page asks again for a refused stream

/**
 * Call `onState(data)` with every new state, and `onLink("live" | "polling" | "lost")` when the kind of link changes.
 */
export function follow(onState, onLink) {
  let source = null;
  let heard = 0;
  let polling = null;
  let retry = null;
  let tag = null;
  let link = null;

  const setLink = (now) => {
    if (now !== link) onLink((link = now));
  };

  function stream() {
    clearTimeout(retry);
    source?.close();
    heard = Date.now();
    const mine = new EventSource(`${BASE}/api/events`);
    source = mine;
    const alive = () => {
      heard = Date.now();
      stopPolling();
      setLink("live");
    };
    mine.addEventListener("beat", alive);
    mine.addEventListener("snapshot", (event) => {
      alive();
      tag = null;
      onState(JSON.parse(event.data));
    });
    mine.addEventListener("error", () => {
      if (mine !== source) return;
      poll(); // at once: the stream may be refused (503), or the table unreachable
      if (mine.readyState === EventSource.CLOSED) retry = setTimeout(stream, RETRY_STREAM);
    });
  }

  function stopPolling() {
    clearTimeout(polling);
    polling = null;
  }

  async function poll() {
    stopPolling();
    polling = setTimeout(poll, POLL);
    try {
      const response = await fetch(`${BASE}/api/state`,
        { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
      if (!response.ok && response.status !== 304) throw new Error(response.statusText);
      if (polling === null) return; // the stream came back first, with a newer state
      tag = response.headers.get("ETag");
      setLink("polling");
      if (response.status === 200) onState(await response.json());
    } catch {
      if (polling !== null) setLink("lost");
    }
  }

  setInterval(() => {
    if (source && source.readyState !== EventSource.CLOSED && Date.now() - heard > SILENCE) {
      poll();
      stream();
    }
  }, 2500);

  // A hidden page closes its stream: a browser has only six connections to one address.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      clearTimeout(retry);
      stopPolling();
      source?.close();
      source = null;
    } else if (!source) stream();
  });
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => event.persisted && stream());
  stream();
}

/** @type {(state: any) => Promise<boolean>} */
const AT_ONCE = async () => false;

/**
 * Take every state, but draw only the newest, at the next animation frame. `prepared(state)` loads what drawing it
 * needs, and is true if that took so long that a newer one may have come.
 */
export function newestOnly(draw, prepared = AT_ONCE) {
  let waiting = null;
  const now = async () => {
    const wanted = waiting;
    if ((await prepared(wanted)) || waiting !== wanted) return now();
    waiting = null;
    return draw(wanted);
  };
  return (state) => {
    if (waiting === null) {
      if (document.hidden) setTimeout(now, 0);
      else requestAnimationFrame(now);
    }
    waiting = state;
  };
}

/** Show what kind of link there is to the table, and say if it is lost. */
export function showLink(link) {
  document.body.dataset.link = link;
  const badge = byId("link-badge");
  badge.hidden = link === "live";
  badge.textContent = link === "live" ? "" : t(`page.link_${link}`);
  if (link === "lost") notice(t("page.offline"));
}
