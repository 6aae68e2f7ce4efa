// Python, in a worker of a frame without network or storage: all files arrive in messages. It answers
// one question after another, and ends with its frame.
const ZIP = "/lib/exactdice.zip";
const inside = (files, name) => new Blob([files[`engine/${name}`]], { type: "text/javascript" });
// The largest files are already packed, because static hosts may not compress them.
const unpacked = (files, name, type) => new Response(
  inside(files, `${name}.packed`).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": type } });
const imported = (code) => import(URL.createObjectURL(code));
let remember;
const remembered = new Promise((done) => { remember = done; });

async function begin(files) {
  self.importScripts = undefined; // otherwise Pyodide detects a classic worker and fails
  // Compiled while the memory of the last visit is read.
  const compiled = WebAssembly.compileStreaming(unpacked(files, "pyodide.asm.wasm", "application/wasm"));
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  const { loadPyodide } = await imported(inside(files, "pyodide.mjs"));
  const { fetch } = self;
  self.fetch = async (asked) => new Response(inside(files, String(asked).split("/").at(-1)));
  const create = (await imported(await unpacked(files, "pyodide.asm.mjs", "text/javascript").blob())).default;
  const memory = await remembered;
  const createPyodideModule = async (settings) => {
    const module = await create(settings);
    while (memory && module.HEAP8.length < memory.byteLength) module._malloc(1 << 20); // Pyodide does not grow it
    return module;
  };
  self.python = await loadPyodide({
    indexURL: "https://engine.invalid/", // not a real address: `fetch` above uses only the name
    lockFileContents: await inside(files, "pyodide-lock.json").text(),
    createPyodideModule,
    ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: true }),
  });
  self.fetch = fetch;
  self.python.FS.writeFile(ZIP, new Uint8Array(files["exactdice.zip"]));
  self.python.runPython(memory ? "import random; random.seed()" : `import sys; sys.path.insert(0, "${ZIP}")`);
  return self.python.pyimport("answering").answer;
}

const tell = (what, done, total) => postMessage({ what, done, total });
let begun;

async function handle({ files, memory, wheel, words, isKept }) {
  if (memory !== undefined) return remember(memory);
  begun ??= begin(files);
  const answer = await begun;
  if (files) postMessage({ ready: true });
  if (wheel) self.python.unpackArchive(wheel, "wheel");
  if (words) postMessage({ asked: words, ...JSON.parse(answer(words, tell)) });
  if (isKept) { // the next visit has the modules of the most common questions at once
    for (const common of ["d6", "d6 v d6", "output d6", "2 v 1", "risk win 2 1"]) answer(common, () => {});
    self.python.runPython("import gc; gc.collect()");
    postMessage({ memory: self.python.makeMemorySnapshot() });
  }
}

onmessage = ({ data }) => handle(data).catch((problem) => postMessage({ broken: String(problem) }));
