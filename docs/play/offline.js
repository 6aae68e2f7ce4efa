// Keeps what the page is made of, so that it works without a network after the first visit.
const KEPT = "exactdice-VERSION";

onactivate = (event) =>
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((n) => n !== KEPT).map((n) => caches.delete(n)))),
  );

onfetch = (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches.open(KEPT).then(async (kept) => {
      const known = await kept.match(event.request);
      if (known) return known;
      const fresh = await fetch(event.request);
      if (fresh.ok) kept.put(event.request, fresh.clone());
      return fresh;
    }),
  );
};
