import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { trustedProgram } from "./find-program.ts";

/** Libraries of Python that skills commonly need, by the module that they are imported as. */
const PYTHON_LIBRARIES: Readonly<Record<string, string>> = {
  pypdf: "pypdf",
  pdfplumber: "pdfplumber",
  reportlab: "reportlab",
  fitz: "PyMuPDF",
  openpyxl: "openpyxl",
  pandas: "pandas",
  numpy: "numpy",
  matplotlib: "matplotlib",
  docx: "python-docx",
  pptx: "python-pptx",
  PIL: "Pillow",
  lxml: "lxml",
  yaml: "PyYAML",
  bs4: "beautifulsoup4",
  requests: "requests",
};

const PROGRAMS = ["soffice", "pdftotext", "qpdf", "pandoc", "ffmpeg", "tesseract"];

const known = new Map<string, readonly string[]>();

/**
 * Those of the libraries that this Python can import, found by looking into its folders: no process is started.
 * Default: the Python of the system. Looked for once in a process.
 */
export function pythonLibraries(program = trustedProgram("python3")): readonly string[] {
  if (program === undefined) return [];
  const found = known.get(program) ?? librariesIn(packageFolders(program));
  known.set(program, found);
  return found;
}

/** The programs that skills commonly start. */
export function commonPrograms(): readonly string[] {
  const found = known.get("") ?? PROGRAMS.filter((name) => trustedProgram(name) !== undefined);
  known.set("", found);
  return found;
}

function librariesIn(folders: readonly string[]): readonly string[] {
  const isThere = (module: string) =>
    folders.some((folder) =>
      [join(module, "__init__.py"), `${module}.py`].some((file) => existsSync(join(folder, file))),
    );
  return Object.entries(PYTHON_LIBRARIES).flatMap(([module, name]) =>
    isThere(module) ? [name] : [],
  );
}

/** Where a Python looks for packages; not in the folder of the user, since scripts get `-s`. */
function packageFolders(program: string): readonly string[] {
  try {
    const real = realpathSync(program);
    const [version] = /\d+\.\d+$/.exec(basename(real)) ?? [];
    const environment = dirname(dirname(program));
    const settings = join(environment, "pyvenv.cfg");
    const prefix = dirname(dirname(real));
    const own = existsSync(settings) ? [environment] : [];
    const isAlone =
      own.length > 0 &&
      !/^include-system-site-packages\s*=\s*true/im.test(readFileSync(settings, "utf8"));
    const shared = prefix === "/usr" ? ["/usr/local", prefix] : [prefix];
    return [...own, ...(isAlone ? [] : shared)].flatMap((one) =>
      foldersBelow(join(one, "lib"), version),
    );
  } catch {
    return [];
  }
}

function foldersBelow(lib: string, version: string | undefined): readonly string[] {
  if (!existsSync(lib)) return [];
  const isOurs = (name: string) =>
    name === "python3" ||
    (version === undefined ? /^python3\.\d+$/.test(name) : name === `python${version}`);
  return readdirSync(lib)
    .filter(isOurs)
    .flatMap((name) => ["site-packages", "dist-packages"].map((one) => join(lib, name, one)));
}
