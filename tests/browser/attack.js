// What a program tries that wants to stay, to be heard elsewhere, or to be taken for the page. It runs
// in the engine's worker and in a worker within that, and answers once all is tried.
// Before it stand `asked`, `hosts`, where it may be heard, and `inner`, the text for the worker within.
const opened = (thing) => new Promise((open, fail) => {
  thing.onopen = thing.onmessage = open;
  thing.onerror = fail;
  setTimeout(fail, 3000);
});

function requested(method, url, isAsync) {
  const request = new XMLHttpRequest();
  request.open(method, url, isAsync);
  const ended = new Promise((done, fail) => Object.assign(request, { onload: done, onerror: fail }));
  request.send(method === "POST" ? "leak" : null);
  return isAsync ? ended : request.status;
}

const ways = {
  fetched: (url) => fetch(url, { mode: "no-cors" }),
  posted: (url) => fetch(url, { method: "POST", mode: "no-cors", body: "leak", keepalive: true }),
  requested: (url) => requested("POST", url, true),
  requestedAtOnce: (url) => requested("GET", url, false),
  socket: (url) => opened(new WebSocket(url.replace("http", "ws"))),
  events: (url) => opened(new EventSource(url)),
  module: (url) => import(url),
  script: (url) => WorkerGlobalScope.prototype.importScripts.call(self, url),
  worker: (url) => opened(new Worker(url)),
  font: (url) => new FontFace("leak", `url(${url})`).load(),
  transport: (url) => new WebTransport(url.replace("http:", "https:")).ready,
  beacon: (url) => navigator.sendBeacon(url),
  call: (url) => new RTCPeerConnection({ iceServers: [{ urls: url.replace("http://", "stun:") }] }),
  caches: () => caches.keys(),
  database: () => new Promise((onsuccess, onerror) => Object.assign(indexedDB.open("leak"), { onsuccess, onerror })),
  files: () => navigator.storage.getDirectory(),
  storage: () => localStorage.setItem("leak", "1"),
  cookies: () => cookieStore.set("leak", "1"),
  registers: () => navigator.serviceWorker.register("offline.js"),
  window: (url) => self.open(url),
  top: (url) => { top.location = url; },
  page: () => parent.document.title,
};

const done = {}; // whether each way worked
const tried = Promise.all(Object.entries(ways).flatMap(([name, way]) => hosts.map(async (host, place) => {
  try {
    await way(`${host}licences.txt?leak`);
    done[name + place] = true;
  } catch {
    done[name + place] = false;
  }
}))).then(() => done);

const post = self.postMessage.bind(self);
const image = "<img src=x onerror='forged = 1'><script>forged = 1</script>";
const hostile = `${image}<svg onload='forged = 1'><rect onclick='forged = 1' width='9' height='9'></rect></svg>
  <a href='javascript:forged = 1'>a</a><form action='/play/dice'><button formaction='javascript:forged = 1'>b</button></form>
  <p id='status' style='position: fixed' onpointerdown='forged = 1'>c</p><iframe srcdoc="${image}"></iframe>`;
const forged = { title: image, json: image, csv: image, check: image };
const noAnswers = [null, 5, "leak", { ready: true }, { what: image, done: 1 }, { missing: "constructor" },
  { memory: new ArrayBuffer(8) }];

if (inner) {
  self.postMessage = () => {}; // so that the worker says nothing itself
  const within = new Worker(URL.createObjectURL(new Blob([inner])));
  within.onmessage = async ({ data }) => {
    const page = `<h1>${JSON.stringify([await tried, data])}</h1>${hostile}`;
    for (const message of noAnswers) post(message);
    post({ asked, words: "risk win 2 1", ...forged, page });
  };
} else tried.then(post);
