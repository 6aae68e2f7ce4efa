// Compiles the modules that common questions import, so that browsers need not:
// node compile.mjs PYODIDE FOLDER QUESTION …
import { readFileSync, writeFileSync } from "node:fs";

const [pyodide, folder, ...questions] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/`, stdLibURL: `${folder}/engine/python_stdlib.zip` });
python.FS.writeFile("/lib/exactdice.zip", new Uint8Array(readFileSync(`${folder}/exactdice.zip`)));
python.globals.set("asked", python.toPy(questions));
python.runPython(`
import sys, zipfile
from importlib.util import source_hash
from importlib._bootstrap_external import _code_to_hash_pyc

sys.path.insert(0, "/lib/exactdice.zip")
from answering import answer

for words in asked:
    answer(words, lambda *_: None)
imported = {getattr(module, "__file__", None) for module in sys.modules.values()}

def compile_modules(path):
    with zipfile.ZipFile(path) as old:
        files = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile("/compiled.zip", "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in files.items():
            if name.endswith(".py") and (f"{path}/{name}" in imported or name.startswith("compiled/")):
                code = compile(content, name, "exec", dont_inherit=True)
                compiled = _code_to_hash_pyc(code, source_hash(content), False)
                new.writestr(zipfile.ZipInfo(f"{name}c"), bytes(compiled), zipfile.ZIP_DEFLATED)
                if b"loaded_on_use" not in content:  # these modules read their names in their source
                    continue
            new.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
`);
const compile = python.globals.get("compile_modules");
for (const [inside, file] of [["/lib/python314.zip", "engine/python_stdlib.zip"], ["/lib/exactdice.zip", "exactdice.zip"]]) {
  compile(inside);
  writeFileSync(`${folder}/${file}`, python.FS.readFile("/compiled.zip"));
}
