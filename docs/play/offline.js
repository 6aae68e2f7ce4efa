// Caches the files of the page, so that it works offline after the first visit.
const KEPT = "exactdice-VERSION";
const HASHES = FILES; // SHA-256 of each file, by its name
const TYPES = {
  css: "text/css", html: "text/html", js: "text/javascript", json: "application/json", mjs: "text/javascript",
  svg: "image/svg+xml", txt: "text/plain",
};

oninstall = (event) =>
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(Object.keys(HASHES))).then(() => skipWaiting()));

onactivate = (event) =>
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((n) => n !== KEPT).map((n) => caches.delete(n))))
      .then(() => clients.claim()),
  );

onfetch = (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const name = (origin + pathname).replace(registration.scope, "") || "index.html";
  if (event.request.method === "GET" && Object.hasOwn(HASHES, name)) event.respondWith(whole(name, event.request));
};

// Return a file from the cache if its hash is right; otherwise fetch it.
async function whole(name, request) {
  const kept = await caches.open(KEPT);
  const content = await (await kept.match(name))?.arrayBuffer();
  if (content && await hash(content) === HASHES[name])
    return new Response(content, { headers: { "content-type": TYPES[name.split(".").at(-1)] ?? "" } });
  const fresh = await fetch(request, { cache: "no-cache" });
  if (await hash(await fresh.clone().arrayBuffer()) === HASHES[name]) await kept.put(name, fresh.clone());
  return fresh;
}

async function hash(content) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
