// Python, in a worker of a frame without network or storage: all files arrive in messages. It answers
// one question after another, and ends with its frame.
const ZIP = "/lib/exactdice.zip";
const arrivals = new Map();
const arrival = (name) => {
  if (!arrivals.has(name)) arrivals.set(name, Promise.withResolvers());
  return arrivals.get(name);
};
const arrived = (name) => arrival(name).promise;
const inside = async (name) => new Blob([await arrived(`engine/${name}`)], { type: "text/javascript" });
// The largest files are already packed, because static hosts may not compress them.
const unpacked = async (name, type) => new Response(
  (await inside(`${name}.packed`)).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": type } });
const imported = async (code) => import(URL.createObjectURL(await code));

async function begin() {
  self.importScripts = undefined; // otherwise Pyodide detects a classic worker and fails
  // Compiled while the memory of the last visit is read.
  const compiled = WebAssembly.compileStreaming(unpacked("pyodide.asm.wasm", "application/wasm"));
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  const code = unpacked("pyodide.asm.mjs", "text/javascript").then((response) => response.blob());
  const [{ loadPyodide }, { default: create }] = await Promise.all([inside("pyodide.mjs"), code].map(imported));
  const { fetch } = self;
  self.fetch = async (asked) => new Response(await inside(String(asked).split("/").at(-1)));
  const memory = await arrived("memory");
  const createPyodideModule = async (settings) => {
    const module = await create(settings);
    // the stored memory may be larger, and Pyodide does not make room for it
    while (memory && module.HEAP8.length < memory.byteLength) module._malloc(memory.byteLength - module.HEAP8.length);
    return module;
  };
  self.python = await loadPyodide({
    indexURL: "https://engine.invalid/", // not a real address: `fetch` above uses only the name
    lockFileContents: await (await inside("pyodide-lock.json")).text(),
    createPyodideModule,
    ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: true }),
  });
  self.fetch = fetch;
  self.python.FS.writeFile(ZIP, new Uint8Array(await arrived("exactdice.zip")));
  self.python.runPython(memory ? "import random; random.seed()" : `import sys; sys.path.insert(0, "${ZIP}")`);
  return self.python.pyimport("answering").answer;
}

const tell = (what, done, total) => postMessage({ what, done, total });
const fail = (problem) => postMessage({ broken: String(problem) });
const begun = begin();
begun.then(() => postMessage({ ready: true }), fail);

async function handle({ name, content, wheel, words, isKept }) {
  if (name) return arrival(name).resolve(content);
  const answer = await begun;
  if (wheel) self.python.unpackArchive(wheel, "wheel");
  if (words) postMessage({ asked: words, ...JSON.parse(answer(words, tell)) });
  if (isKept) { // the next visit has the modules of the most common questions at once
    for (const common of ["d6", "d6 v d6", "output d6", "2 v 1", "risk win 2 1"]) answer(common, () => {});
    self.python.runPython("import gc; gc.collect()");
    postMessage({ memory: self.python.makeMemorySnapshot() });
  }
}

onmessage = ({ data }) => handle(data).catch(fail);
