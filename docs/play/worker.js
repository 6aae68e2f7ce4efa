// Python, in a worker of a frame without network or storage: all files arrive in messages. It answers
// one question after another, and ends with its frame.
const ZIP = "/lib/exactdice.zip";
const inside = (files, name) => new Blob([files[`engine/${name}`]], { type: "text/javascript" });
const imported = (files, name) => import(URL.createObjectURL(inside(files, name)));

async function begin(files) {
  self.importScripts = undefined; // otherwise Pyodide detects a classic worker and fails
  const { loadPyodide } = await imported(files, "pyodide.mjs");
  const { fetch } = self;
  // The largest file is already packed, because static hosts may not compress it.
  self.fetch = async (asked) => {
    const name = String(asked).split("/").at(-1);
    if (!name.endsWith(".wasm")) return new Response(inside(files, name));
    const stream = inside(files, `${name}.packed`).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream, { headers: { "content-type": "application/wasm" } });
  };
  const { memory } = files;
  self.python = await loadPyodide({
    indexURL: "https://engine.invalid/", // not a real address: `fetch` above uses only the name
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
