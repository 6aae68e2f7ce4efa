// Python, in a thread of its own: it answers one question after another, and is ended to cancel one.
import { loadPyodide } from "./engine/pyodide.mjs";

const fetched = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
const text = async (name) => (await fetch(name)).text();

// Hosts of static files need not pack them: the largest is packed already.
const whole = self.fetch;
self.fetch = async (asked, ...more) => {
  if (!String(asked).endsWith(".wasm")) return whole(asked, ...more);
  const packed = await whole(`${asked}.packed`, ...more);
  const stream = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": "application/wasm" } });
};

async function begin() {
  const programs = Promise.all([text("arrays.py"), text("answering.py")]);
  const wheels = JSON.parse(await text("wheels.json"));
  const first = Promise.all(wheels.first.map(fetched));
  self.python = await loadPyodide({ indexURL: "./engine/" });
  for (const wheel of await first) self.python.unpackArchive(wheel, "wheel");
  const [arrays, answering] = await programs;
  self.python.runPython(`${arrays}\nstand_in()`);
  return { answer: self.python.runPython(`${answering}\nanswer`), later: wheels.later };
}

const ready = begin();
ready.then(() => postMessage({ ready: true }), (problem) => postMessage({ broken: String(problem) }));

// What few questions need comes when one needs it, or after the first answer.
const loaded = {};
const load = (later, library) => (loaded[library] ??= fetched(later[library])
  .then((wheel) => self.python.unpackArchive(wheel, "wheel")));

onmessage = async ({ data: words }) => {
  const { answer, later } = await ready;
  const tell = (what, done, total) => postMessage({ what, done, total });
  let answered = JSON.parse(answer(words, tell));
  for (const tried = []; answered.missing in later && !tried.includes(answered.missing);) {
    tried.push(answered.missing);
    postMessage({ what: `loading ${answered.missing}`, done: "" });
    await load(later, answered.missing);
    answered = JSON.parse(answer(words, tell));
  }
  postMessage({ words, ...answered });
  for (const library of Object.keys(later)) load(later, library);
};
