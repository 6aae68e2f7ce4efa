// Python, in a worker of a frame without network, caches and storage: all it needs comes in messages.
// It answers one question after another, and is ended with its frame.
const ZIP = "/lib/exactdice.zip";
const inside = (files, name) => new Blob([files[`engine/${name}`]], { type: "text/javascript" });
const imported = (files, name) => import(URL.createObjectURL(inside(files, name)));

async function begin(files) {
  self.importScripts = undefined; // by which Pyodide finds that this is no module, and gives up
  const { loadPyodide } = await imported(files, "pyodide.mjs");
  const { fetch } = self;
  // Hosts of static files need not pack them: the largest is packed already.
  self.fetch = async (asked) => {
    const name = String(asked).split("/").at(-1);
    if (!name.endsWith(".wasm")) return new Response(inside(files, name));
    const stream = inside(files, `${name}.packed`).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream, { headers: { "content-type": "application/wasm" } });
  };
  const { memory } = files;
  self.python = await loadPyodide({
    indexURL: "https://engine.invalid/", // no address: `fetch` above looks only at the name
    lockFileContents: await inside(files, "pyodide-lock.json").text(),
    createPyodideModule: (await imported(files, "pyodide.asm.mjs")).default,
    ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: true }),
  });
  self.fetch = fetch;
  self.python.FS.writeFile(ZIP, new Uint8Array(files["exactdice.zip"]));
  self.python.runPython(memory ? "import random; random.seed()" : `import sys; sys.path.insert(0, "${ZIP}")`);
  return self.python.pyimport("answering").answer;
}

const tell = (what, done, total) => postMessage({ what, done, total });
let begun;

async function handle({ files, wheel, words, isKept }) {
  begun ??= begin(files);
  const answer = await begun;
  if (files) postMessage({ ready: true });
  if (wheel) self.python.unpackArchive(wheel, "wheel");
  if (words) postMessage({ asked: words, ...JSON.parse(answer(words, tell)) });
  if (isKept) {
    self.python.runPython("import gc; gc.collect()");
    postMessage({ memory: self.python.makeMemorySnapshot() });
  }
}

onmessage = ({ data }) => handle(data).catch((problem) => postMessage({ broken: String(problem) }));
