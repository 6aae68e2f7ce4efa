// Python, in a thread of its own: it answers one question after another, and is ended to cancel one.
// Its memory after a first answer is kept beside the files, so that the next visit goes on from it.
import { loadPyodide } from "./engine/pyodide.mjs";

const fetched = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());

// Hosts of static files need not pack them: the largest is packed already.
const whole = self.fetch;
self.fetch = async (asked, ...more) => {
  if (!String(asked).endsWith(".wasm")) return whole(asked, ...more);
  const packed = await whole(`${asked}.packed`, ...more);
  const stream = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": "application/wasm" } });
};

const ZIP = "/lib/exactdice.zip";
let mayKeep = false; // whether this memory is new, and holds Python alone

async function begin() {
  const { version, later } = await (await fetch("parts.json")).json();
  const [ours, kept] = await Promise.all([fetched("exactdice.zip"), self.caches?.match(`memory-${version}`)]);
  mayKeep = Boolean(self.caches && !kept);
  const memory = kept ? { _loadSnapshot: await kept.arrayBuffer() } : { _makeSnapshot: mayKeep };
  self.python = await loadPyodide({ indexURL: "./engine/", ...memory });
  self.python.FS.writeFile(ZIP, ours);
  self.python.runPython(kept ? "import random; random.seed()" : `import sys; sys.path.insert(0, "${ZIP}")`);
  return { answer: self.python.pyimport("answering").answer, later, version };
}

async function keep(version) {
  mayKeep = false;
  self.python.runPython("import gc; gc.collect()");
  const memory = new Response(self.python.makeMemorySnapshot());
  await (await caches.open(`exactdice-${version}`)).put(`memory-${version}`, memory);
}

const ready = begin();
ready.then(() => postMessage({ ready: true }), (problem) => postMessage({ broken: String(problem) }));

// What few questions need comes when one needs it.
const loaded = {};
const load = (later, library) => (loaded[library] ??= fetched(later[library])
  .then((wheel) => { mayKeep = false; self.python.unpackArchive(wheel, "wheel"); }));

onmessage = async ({ data: words }) => {
  const { answer, later, version } = await ready;
  const tell = (what, done, total) => postMessage({ what, done, total });
  let answered = JSON.parse(answer(words, tell));
  for (const tried = []; answered.missing in later && !tried.includes(answered.missing);) {
    tried.push(answered.missing);
    postMessage({ what: `loading ${answered.missing}`, done: "" });
    await load(later, answered.missing);
    answered = JSON.parse(answer(words, tell));
  }
  postMessage({ asked: words, ...answered });
  if (mayKeep) await keep(version);
};
