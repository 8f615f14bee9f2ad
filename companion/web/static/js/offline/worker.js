/**
 * The service worker of the page. Before it stand KEPT, the addresses of one page with all that it needs, and VERSION.
 *
 * It answers from what it keeps only where the table does not answer, and only with that page. States, pictures and
 * pages of the table are none of its business: the browser asks the table for them as if there were no worker.
 */

const CACHE = `alea-offline-${VERSION}`;
const SHOWN = KEPT[0];

/**
 * Keep the page. This worker waits until the pages of the one before it are closed: `skipWaiting()` makes Chromium
 * cancel what that one fetches, and the navigation it answers then never ends.
 */
async function keep() {
  await caches.delete(CACHE); // made again, it is the newest
  const cache = await caches.open(CACHE);
  await cache.addAll(KEPT);
}

const keeps = async () => (await caches.keys()).filter((name) => name.startsWith("alea-offline-"));

async function forget() {
  await Promise.all((await keeps()).filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** Return what was kept last, perhaps by a worker that still waits: the page's language may have changed since. */
async function newest(address) {
  for (const name of (await keeps()).reverse()) {
    const kept = await (await caches.open(name)).match(address);
    if (kept) return kept;
  }
  return undefined;
}

async function askedFirst(request, instead) {
  try {
    return await fetch(request);
  } catch (failure) {
    const kept = await newest(instead);
    if (kept) return kept;
    throw failure;
  }
}

const paths = new Set(KEPT.map((one) => new URL(one, self.location).pathname));

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(askedFirst(request, SHOWN));
  else if (request.method === "GET" && paths.has(new URL(request.url).pathname))
    event.respondWith(askedFirst(request, request));
});
