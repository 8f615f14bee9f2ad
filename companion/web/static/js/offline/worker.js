/**
 * The service worker of the page. Before it stand KEPT, the addresses of one page with all that it needs, and VERSION.
 *
 * It answers from what it keeps only where the table does not answer, and only with that page. States, pictures and
 * pages of the table are none of its business: the browser asks the table for them as if there were no worker.
 */

const CACHE = `alea-offline-${VERSION}`;
const SHOWN = KEPT[0];

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll(KEPT);
  await self.skipWaiting();
}

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("alea-offline-") && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function askedFirst(request, instead) {
  try {
    return await fetch(request);
  } catch (failure) {
    const kept = await caches.match(instead);
    if (kept) return kept;
    throw failure;
  }
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(askedFirst(request, SHOWN));
  else if (request.method === "GET" && KEPT.some((one) => new URL(one, self.location).href === request.url)) {
    event.respondWith(askedFirst(request, request));
  }
});
