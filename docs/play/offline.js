// Keeps what the page is made of, so that it works without a network after the first visit.
const KEPT = "exactdice-VERSION";

oninstall = (event) =>
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => skipWaiting()));

onactivate = (event) =>
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((n) => n !== KEPT).map((n) => caches.delete(n))))
      .then(() => clients.claim()),
  );

onfetch = (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request).then((known) => known ?? fetch(event.request)));
};
