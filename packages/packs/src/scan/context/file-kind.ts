/** How a file is read: text for a model, code for an interpreter, data for a program. */
export type FileKind = "prose" | "script" | "config";

const PROSE = new Set([
  "md",
  "mdx",
  "markdown",
  "rst",
  "txt",
  "adoc",
  "html",
  "htm",
  "svg",
  "xml",
  "csv",
  "tex",
  "",
]);
const CONFIG = new Set([
  "json",
  "jsonc",
  "json5",
  "yaml",
  "yml",
  "toml",
  "ini",
  "cfg",
  "conf",
  "plist",
  "service",
  "timer",
  "env",
  "properties",
  "lock",
]);
const SCRIPT_NAMES =
  /^(?:dockerfile|makefile|justfile|rakefile|gemfile|procfile|\.(?:bash|zsh)rc|\.(?:bash_)?profile)$/;

export type Language = "shell" | "python" | "javascript" | "powershell" | "other";

const LANGUAGES: Readonly<Record<string, Language>> = {
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  fish: "shell",
  ksh: "shell",
  command: "shell",
  shell: "shell",
  console: "shell",
  terminal: "shell",
  bat: "shell",
  cmd: "shell",
  dockerfile: "shell",
  makefile: "shell",
  py: "python",
  python: "python",
  python3: "python",
  pyw: "python",
  ipynb: "python",
  pyc: "python",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  ts: "javascript",
  mts: "javascript",
  cts: "javascript",
  tsx: "javascript",
  javascript: "javascript",
  typescript: "javascript",
  ps1: "powershell",
  psm1: "powershell",
  powershell: "powershell",
  pwsh: "powershell",
};

export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  if (SCRIPT_NAMES.test(name)) return name;
  return dot === -1 ? "" : name.slice(dot + 1);
}

export function fileKind(path: string, text: string): FileKind {
  const extension = extensionOf(path);
  if (text.startsWith("#!")) return "script";
  if (PROSE.has(extension)) return "prose";
  return CONFIG.has(extension) || /^\.env\b/.test(path.slice(path.lastIndexOf("/") + 1))
    ? "config"
    : "script";
}

export function languageOf(nameOrExtension: string, text = ""): Language {
  const known = LANGUAGES[nameOrExtension];
  if (known !== undefined) return known;
  const head = text.slice(0, 80).split("\n", 1)[0] ?? "";
  if (!head.startsWith("#!")) return "other";
  if (/\b(?:ba|z|da|k)?sh\b/.test(head)) return "shell";
  if (head.includes("python")) return "python";
  return /\b(?:node|deno|bun|tsx)\b/.test(head) ? "javascript" : "other";
}
